// Returns: rows of id, evidence, text, vector — the triples of these ids that have a vector; a beam starts at each.
// $ids: ids of triples.
// $embedding: name of the vector property.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $ids AS id
MATCH (t:Triple {id: id})
WHERE NOT t.document IN $excluded AND t[$embedding] IS NOT NULL
RETURN collect([t.id, t.evidence, t.text, t[$embedding]]) AS rows
