// Returns: rows of id, score — k nearest evidence of the collection, restricted to the nearest candidates of another vector index; exact cosines, by descending score.
// $index: name of the vector index of the other property.
// $width: number of candidates that the index returns.
// $other: vector to compare with the other property, unit length.
// $property: name of the other vector property.
// $within: number of evidence of the collection to search.
// $mix: weight of the cosine of the other property, in [0, 1].
// $vector: embedding of the query, unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $excluded: ids of documents that are being removed; they are excluded.
// $label: label that nodes must have; empty: any.
// $k: maximum number of rows.
CALL db.index.vector.queryNodes($index, $width, $other) YIELD node, score AS similarity
WHERE node.collection = $collection AND NOT node.document IN $excluded AND node[$embedding] IS NOT NULL AND ($label = '' OR $label IN labels(node))
WITH node ORDER BY similarity DESC, node.id LIMIT $within
WITH node, 2 * vector.similarity.cosine(node[$embedding], $vector) - 1 AS vector_score,
  CASE WHEN $mix > 0 THEN 2 * vector.similarity.cosine(node[$property], $other) - 1 ELSE 0 END AS other_score
WITH node.id AS id, (1 - $mix) * vector_score + $mix * other_score AS score ORDER BY score DESC, id LIMIT $k
RETURN collect([id, score]) AS rows
