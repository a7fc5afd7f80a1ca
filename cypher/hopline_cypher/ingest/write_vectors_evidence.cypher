// Returns: nothing — vectors of evidence, which is to be related; what was nearest to an earlier vector of it is related anew.
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
