// Returns: rows of id, score — exact cosine of evidence to a vector; evidence without a vector is excluded.
// $ids: ids of passages and tables.
// $vector: vector to compare with, unit length.
// $embedding: name of the vector property.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $ids AS id
MATCH (e:Evidence {id: id}) WHERE NOT e.document IN $excluded AND e[$embedding] IS NOT NULL
RETURN collect([e.id, 2 * vector.similarity.cosine(e[$embedding], $vector) - 1]) AS rows
