// Returns: rows of id, text, vector — evidence as a scorer is shown it, where it has a vector.
// $ids: ids of passages and tables.
// $embedding: name of the vector property.
UNWIND $ids AS id
MATCH (e:Evidence {id: id}) WHERE e[$embedding] IS NOT NULL
RETURN collect([e.id, e.text, e[$embedding]]) AS rows
