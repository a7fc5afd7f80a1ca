// Returns: rows of id, score — k nearest nodes of a vector index within the scope; exact cosines, by descending score.
// $index: name of the vector index.
// $width: number of candidates that the index returns.
// $vector: embedding of the query, unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $documents: ids of the documents to search; empty: all.
// $excluded: ids of documents that are being removed; they are excluded.
// $label: label that nodes must have; empty: any label of the index.
// $k: maximum number of rows.
CALL db.index.vector.queryNodes($index, $width, $vector) YIELD node
WHERE node.collection = $collection AND NOT coalesce(node.document, '') IN $excluded AND (size($documents) = 0 OR node.document IN $documents) AND ($label = '' OR $label IN labels(node))
WITH node, vector.similarity.cosine(node[$embedding], $vector) AS similarity
WITH node.id AS id, 2 * similarity - 1 AS score ORDER BY score DESC, id LIMIT $k
RETURN collect([id, score]) AS rows
