// Returns: nothing — nearest neighbours of evidence, in place of those it had.
// $ids: ids of the evidence that is now related.
// $pairs: rows of id, other, score.
// $by: name of the embedder.
UNWIND $ids AS id
MATCH (n:Evidence {id: id})
OPTIONAL MATCH (n)-[old:SIMILAR {by: $by}]->()
DELETE old
REMOVE n:Unrelated
WITH count(*) AS _
UNWIND $pairs AS row
MATCH (a:Evidence {id: row.id}), (b:Evidence {id: row.other})
CREATE (a)-[:SIMILAR {score: row.score, by: $by}]->(b)
