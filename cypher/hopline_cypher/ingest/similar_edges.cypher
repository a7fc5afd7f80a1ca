// Returns: rows of id, other, score — nearest neighbours of evidence over its SIMILAR edges.
// $ids: ids of evidence.
// $by: name of the embedder.
UNWIND $ids AS id
MATCH (:Evidence {id: id})-[r:SIMILAR {by: $by}]->(other:Evidence)
RETURN collect([id, other.id, r.score]) AS rows
