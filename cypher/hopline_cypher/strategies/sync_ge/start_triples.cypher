// Returns: rows of id, evidence, text, vector — the triples of these ids that have a vector; a beam starts at each.
// $ids: ids of triples.
// $embedding: name of the vector property.
UNWIND $ids AS id
MATCH (t:Triple {id: id})
WHERE t[$embedding] IS NOT NULL
RETURN collect([t.id, t.evidence, t.text, t[$embedding]]) AS rows
