// Returns: rows of id, text, vector — text and vector of evidence, the input of the reranker; the vector is null where evidence has none yet.
// $ids: ids of passages and tables.
// $embedding: name of the vector property.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $ids AS id
MATCH (e:Evidence {id: id}) WHERE NOT e.document IN $excluded
RETURN collect([e.id, e.text, e[$embedding]]) AS rows
