// Returns: rows of id, vector — topic vectors of evidence; null where evidence has none.
// $ids: ids of evidence.
// $property: name of the vector property of the topics.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $ids AS id
MATCH (n:Evidence {id: id}) WHERE NOT n.document IN $excluded
RETURN collect([n.id, n[$property]]) AS rows
