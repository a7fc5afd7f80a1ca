// Returns: rows of id, score — every Triple of these documents against the vector, exactly, best first.
// $vector: the query, of unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $documents: ids of the documents.
// $label: kind of node wanted; empty: any.
// $k: how many rows at most.
MATCH (node:Triple) WHERE node.document IN $documents AND node.collection = $collection AND node[$embedding] IS NOT NULL AND ($label = '' OR $label IN labels(node))
WITH node.id AS id, 2 * vector.similarity.cosine(node[$embedding], $vector) - 1 AS score
WITH id, score ORDER BY score DESC, id LIMIT $k
RETURN collect([id, score]) AS rows
