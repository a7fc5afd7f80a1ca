// Returns: rows of id, others, score — number of nearest neighbours of evidence and the score of the farthest one; evidence that waits for its neighbours is excluded.
// $ids: ids of evidence.
// $by: name of the embedder.
UNWIND $ids AS id
MATCH (n:Evidence {id: id}) WHERE NOT n:Unrelated
OPTIONAL MATCH (n)-[r:SIMILAR {by: $by}]->()
WITH n, count(r) AS others, coalesce(min(r.score), -1.0) AS score
RETURN collect([n.id, others, score]) AS rows
