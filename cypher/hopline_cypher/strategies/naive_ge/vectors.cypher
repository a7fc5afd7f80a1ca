// Returns: rows of id, vector — vectors of triples.
// $ids: ids of triples.
// $embedding: name of the vector property.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $ids AS id
MATCH (t:Triple {id: id}) WHERE NOT t.document IN $excluded
RETURN collect([t.id, t[$embedding]]) AS rows
