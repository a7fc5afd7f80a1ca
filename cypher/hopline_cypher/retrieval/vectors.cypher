// Returns: rows of id, vector — vectors of evidence; evidence without a vector is excluded.
// $ids: ids of passages and tables.
// $embedding: name of the vector property.
UNWIND $ids AS id
MATCH (e:Evidence {id: id}) WHERE e[$embedding] IS NOT NULL
RETURN collect([e.id, e[$embedding]]) AS rows
