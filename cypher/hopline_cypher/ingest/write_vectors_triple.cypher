// Returns: nothing — writes vectors of triples.
// $embedding: name of the vector property.
// $rows: rows of id, vector.
UNWIND $rows AS row
MATCH (n:Triple {id: row.id})
CALL db.create.setNodeVectorProperty(n, $embedding, row.vector)
REMOVE n:UnembeddedTriple
