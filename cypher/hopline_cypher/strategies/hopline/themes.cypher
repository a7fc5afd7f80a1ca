// Returns: rows of id, vector — the themes of evidence; no vector where it has none.
// $ids: ids of evidence.
// $property: name of the vector property of the themes.
UNWIND $ids AS id
MATCH (n:Evidence {id: id})
RETURN collect([n.id, n[$property]]) AS rows
