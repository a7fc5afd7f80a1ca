// Returns: rows of id, text, vector — evidence as a scorer is shown it; no vector where it has none yet.
// $ids: ids of passages and tables.
// $embedding: name of the vector property.
UNWIND $ids AS id
MATCH (e:Evidence {id: id})
RETURN collect([e.id, e.text, e[$embedding]]) AS rows
