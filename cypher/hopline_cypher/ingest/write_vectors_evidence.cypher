// Returns: nothing — writes vectors of evidence, which then waits for its nearest neighbours, as does evidence that had it as a neighbour. What was corrected meanwhile waits for another vector.
// $embedding: name of the vector property.
// $rows: rows of id, vector, and optionally corrected_at, the time of the correction that was embedded.
UNWIND $rows AS row
MATCH (n:Evidence {id: row.id})
CALL (n) { MATCH (other:Evidence)-[old:SIMILAR]->(n) SET other:Unrelated DELETE old }
CALL db.create.setNodeVectorProperty(n, $embedding, row.vector)
FOREACH (_ IN CASE WHEN coalesce(n.corrected_at, 0) = coalesce(row.corrected_at, 0) THEN [1] ELSE [] END | REMOVE n:Unembedded)
SET n:Unrelated
WITH n
MATCH (c:Collection {id: n.collection}) WHERE c.themes IS NOT NULL
SET n:Unthemed
