// Returns: rows of id, score — the nearest among the evidence within the scope that is nearest to another vector, all compared exactly, best first.
// $other: what is compared with the other property, of unit length.
// $property: name of the other vector property.
// $within: how many are searched.
// $mix: what the cosine of the other property counts, in [0, 1].
// $vector: the query, of unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $documents: ids of documents; empty: all.
// $excluded: ids of documents that are being removed.
// $label: kind of node wanted; empty: any.
// $k: how many rows at most.
MATCH (node:Evidence)
WHERE node.collection = $collection AND NOT node.document IN $excluded AND (size($documents) = 0 OR node.document IN $documents)
  AND node[$embedding] IS NOT NULL AND node[$property] IS NOT NULL AND ($label = '' OR $label IN labels(node))
WITH node, 2 * vector.similarity.cosine(node[$property], $other) - 1 AS beside ORDER BY beside DESC, node.id LIMIT $within
WITH node.id AS id, (1 - $mix) * (2 * vector.similarity.cosine(node[$embedding], $vector) - 1) + $mix * beside AS score
WITH id, score ORDER BY score DESC, id LIMIT $k
RETURN collect([id, score]) AS rows
