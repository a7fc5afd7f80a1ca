// Returns: rows of id, score — the nearest among the evidence of the collection that one vector index finds nearest to another vector, with exact cosines, best first.
// $index: name of the vector index of the other property.
// $width: how many candidates the index gives.
// $other: what is compared with the other property, of unit length.
// $property: name of the other vector property.
// $within: how many of the collection are searched.
// $mix: what the cosine of the other property counts, in [0, 1].
// $vector: the query, of unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $excluded: ids of documents that are being removed.
// $label: kind of node wanted; empty: any.
// $k: how many rows at most.
CALL db.index.vector.queryNodes($index, $width, $other) YIELD node
WHERE node.collection = $collection AND NOT node.document IN $excluded AND node[$embedding] IS NOT NULL AND ($label = '' OR $label IN labels(node))
WITH node LIMIT $within
WITH node, 2 * vector.similarity.cosine(node[$embedding], $vector) - 1 AS near,
  CASE WHEN $mix > 0 THEN 2 * vector.similarity.cosine(node[$property], $other) - 1 ELSE 0 END AS beside
WITH node.id AS id, (1 - $mix) * near + $mix * beside AS score ORDER BY score DESC, id LIMIT $k
RETURN collect([id, score]) AS rows
