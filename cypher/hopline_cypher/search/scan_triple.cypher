// Returns: rows of id, score — every Triple of the collection against the vector, exactly, best first.
// $vector: the query, of unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $excluded: ids of documents that are being removed.
// $label: kind of node wanted; empty: any.
// $k: how many rows at most.
MATCH (node:Triple) WHERE node.collection = $collection AND NOT coalesce(node.document, '') IN $excluded AND node[$embedding] IS NOT NULL AND ($label = '' OR $label IN labels(node))
WITH node.id AS id, 2 * vector.similarity.cosine(node[$embedding], $vector) - 1 AS score
WITH id, score ORDER BY score DESC, id LIMIT $k
RETURN collect([id, score]) AS rows
