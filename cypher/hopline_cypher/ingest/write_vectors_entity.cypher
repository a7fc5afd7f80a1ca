// Returns: nothing — writes vectors of entities.
// $embedding: name of the vector property.
// $rows: rows of id, vector.
UNWIND $rows AS row
MATCH (n:Entity {id: row.id})
CALL db.create.setNodeVectorProperty(n, $embedding, row.vector)
REMOVE n:UnembeddedEntity
