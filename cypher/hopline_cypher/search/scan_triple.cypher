// Returns: rows of id, score — k nearest triples of the collection; exact scan, by descending score.
// $vector: embedding of the query, unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $excluded: ids of documents that are being removed; they are excluded.
// $label: label that nodes must have; empty: any.
// $k: maximum number of rows.
MATCH (:Evidence {collection: $collection})-[:STATES]->(node:Triple)
WHERE NOT coalesce(node.document, '') IN $excluded AND node[$embedding] IS NOT NULL AND ($label = '' OR $label IN labels(node))
WITH node.id AS id, 2 * vector.similarity.cosine(node[$embedding], $vector) - 1 AS score
WITH id, score ORDER BY score DESC, id LIMIT $k
RETURN collect([id, score]) AS rows
