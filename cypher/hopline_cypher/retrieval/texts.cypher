// Returns: rows of id, text — texts of evidence.
// $ids: ids of evidence.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $ids AS id
MATCH (n:Evidence {id: id}) WHERE NOT n.document IN $excluded
RETURN collect([n.id, n.text]) AS rows
