// Returns: nothing — the themes of evidence.
// $property: name of the vector property of these themes.
// $themes: name of the set.
// $rows: rows of id, vector (unit length), theme (number of the likeliest).
UNWIND $rows AS row
MATCH (n:Evidence {id: row.id})
CALL db.create.setNodeVectorProperty(n, $property, row.vector)
SET n.theme = row.theme, n.themed_by = $themes
REMOVE n:Unthemed
