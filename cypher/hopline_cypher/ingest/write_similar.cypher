// Returns: nothing — nearest neighbours of evidence, in place of those it had. Evidence of which one neighbour is gone by now is to be related again.
// $rows: rows of id, others (ids, nearest first), scores, related (whether it waits for this no more).
// $by: name of the embedder.
UNWIND $rows AS row
MATCH (n:Evidence {id: row.id})
CALL (n) { MATCH (n)-[old:SIMILAR {by: $by}]->() DELETE old }
CALL (n, row) {
  UNWIND range(0, size(row.others) - 1) AS place
  MATCH (other:Evidence {id: row.others[place]})
  CREATE (n)-[:SIMILAR {score: row.scores[place], by: $by}]->(other)
  RETURN count(*) AS made
}
FOREACH (_ IN CASE WHEN row.related AND made = size(row.others) THEN [1] ELSE [] END | REMOVE n:Unrelated)
FOREACH (_ IN CASE WHEN made < size(row.others) THEN [1] ELSE [] END | SET n:Unrelated)
