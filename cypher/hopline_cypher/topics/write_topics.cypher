// Returns: nothing — writes the topics of evidence.
// $property: name of the vector property of this topic set.
// $themes: name of the topic set.
// $rows: rows of id, vector (unit length), theme (number of the most likely topic).
UNWIND $rows AS row
MATCH (n:Evidence {id: row.id})
CALL db.create.setNodeVectorProperty(n, $property, row.vector)
SET n.theme = row.theme, n.themed_by = $themes
REMOVE n:Unthemed
