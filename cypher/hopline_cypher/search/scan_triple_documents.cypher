// Returns: rows of id, score — k nearest triples of the given documents; exact scan, by descending score.
// $vector: embedding of the query, unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $documents: ids of the documents.
// $label: label that nodes must have; empty: any.
// $k: maximum number of rows.
// $excluded: ids of documents that are being removed; they are excluded.
MATCH (e:Evidence)-[:STATES]->(node:Triple)
WHERE e.document IN $documents AND NOT e.document IN $excluded AND e.collection = $collection AND node[$embedding] IS NOT NULL AND ($label = '' OR $label IN labels(node))
WITH node.id AS id, 2 * vector.similarity.cosine(node[$embedding], $vector) - 1 AS score
WITH id, score ORDER BY score DESC, id LIMIT $k
RETURN collect([id, score]) AS rows
