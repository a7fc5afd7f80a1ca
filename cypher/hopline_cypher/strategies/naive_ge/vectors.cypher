// Returns: rows of id, vector — vectors of triples.
// $ids: ids of triples.
// $embedding: name of the vector property.
UNWIND $ids AS id
MATCH (t:Triple {id: id})
RETURN collect([t.id, t[$embedding]]) AS rows
