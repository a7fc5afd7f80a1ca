// Returns: id, vector — vectors of triples.
// $ids: ids of triples.
// $embedding: name of the vector property.
UNWIND $ids AS id
MATCH (t:Triple {id: id})
RETURN t.id AS id, t[$embedding] AS vector
