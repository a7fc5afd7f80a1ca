// Returns: rows of id, score — the nearest of one vector index within the scope, with exact cosines, best first.
// $index: name of the vector index.
// $width: how many candidates the index gives.
// $vector: the query, of unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $excluded: ids of documents that are being removed.
// $label: kind of node wanted; empty: any of the index.
// $k: how many rows at most.
CALL db.index.vector.queryNodes($index, $width, $vector) YIELD node
WHERE node.collection = $collection AND NOT coalesce(node.document, '') IN $excluded AND ($label = '' OR $label IN labels(node))
WITH node, vector.similarity.cosine(node[$embedding], $vector) AS similarity
WITH node.id AS id, 2 * similarity - 1 AS score ORDER BY score DESC, id LIMIT $k
RETURN collect([id, score]) AS rows
