// Returns: rows of id, text, vector — text and vector of evidence, the input of the reranker; the vector is null where evidence has none yet.
// $ids: ids of passages and tables.
// $embedding: name of the vector property.
UNWIND $ids AS id
MATCH (e:Evidence {id: id})
RETURN collect([e.id, e.text, e[$embedding]]) AS rows
