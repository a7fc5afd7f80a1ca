// Returns: nothing — writes vectors of evidence, which then waits for its nearest neighbours, as does evidence that had it as a neighbour.
// $embedding: name of the vector property.
// $rows: rows of id, vector.
UNWIND $rows AS row
MATCH (n:Evidence {id: row.id})
CALL (n) { MATCH (other:Evidence)-[old:SIMILAR]->(n) SET other:Unrelated DELETE old }
CALL db.create.setNodeVectorProperty(n, $embedding, row.vector)
REMOVE n:Unembedded
SET n:Unrelated
WITH n
MATCH (c:Collection {id: n.collection}) WHERE c.themes IS NOT NULL
SET n:Unthemed
