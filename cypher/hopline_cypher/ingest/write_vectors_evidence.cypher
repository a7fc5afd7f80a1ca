// Returns: nothing — vectors of evidence.
// $embedding: name of the vector property.
// $rows: rows of id, vector.
UNWIND $rows AS row
MATCH (n:Evidence {id: row.id})
CALL db.create.setNodeVectorProperty(n, $embedding, row.vector)
REMOVE n:Unembedded
SET n:Unrelated
WITH n
MATCH (c:Collection {id: n.collection}) WHERE c.themes IS NOT NULL
SET n:Unthemed
