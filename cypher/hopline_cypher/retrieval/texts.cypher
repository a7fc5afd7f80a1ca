// Returns: rows of id, text — texts of evidence.
// $ids: ids of evidence.
UNWIND $ids AS id
MATCH (n:Evidence {id: id})
RETURN collect([n.id, n.text]) AS rows
