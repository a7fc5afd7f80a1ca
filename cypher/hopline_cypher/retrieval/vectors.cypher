// Returns: rows of id, vector — vectors of evidence; evidence without a vector is excluded.
// $ids: ids of passages and tables.
// $embedding: name of the vector property.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $ids AS id
MATCH (e:Evidence {id: id}) WHERE NOT e.document IN $excluded AND e[$embedding] IS NOT NULL
RETURN collect([e.id, e[$embedding]]) AS rows
