// Returns: id, evidence, text, vector — triples that a beam begins at, by their ids.
// $ids: ids of triples.
// $embedding: name of the vector property.
UNWIND $ids AS id
MATCH (t:Triple {id: id})
WHERE t[$embedding] IS NOT NULL
RETURN t.id AS id, t.evidence AS evidence, t.text AS text, t[$embedding] AS vector
