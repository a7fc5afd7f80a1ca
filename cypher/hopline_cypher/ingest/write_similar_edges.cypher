// Returns: nothing — writes the nearest neighbours of evidence; replaces earlier ones. Evidence with a neighbour that no longer exists waits for its neighbours again.
// $rows: rows of id, others (ids, nearest first), scores, related (whether it no longer waits for its neighbours).
// $by: name of the embedder.
UNWIND $rows AS row
MATCH (n:Evidence {id: row.id})
CALL (n) { MATCH (n)-[old:SIMILAR {by: $by}]->() DELETE old }
CALL (n, row) {
  UNWIND range(0, size(row.others) - 1) AS i
  MATCH (other:Evidence {id: row.others[i]})
  CREATE (n)-[:SIMILAR {score: row.scores[i], by: $by}]->(other)
  RETURN count(*) AS created
}
FOREACH (_ IN CASE WHEN row.related AND created = size(row.others) THEN [1] ELSE [] END | REMOVE n:Unrelated)
FOREACH (_ IN CASE WHEN created < size(row.others) THEN [1] ELSE [] END | SET n:Unrelated)
