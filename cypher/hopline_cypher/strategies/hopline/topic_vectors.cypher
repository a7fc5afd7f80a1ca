// Returns: rows of id, vector — topic vectors of evidence; null where evidence has none.
// $ids: ids of evidence.
// $property: name of the vector property of the topics.
UNWIND $ids AS id
MATCH (n:Evidence {id: id})
RETURN collect([n.id, n[$property]]) AS rows
