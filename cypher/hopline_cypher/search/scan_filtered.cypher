// Returns: rows of id, score — k nearest evidence within the scope, restricted to the nearest by another vector property; exact scan, by descending score.
// $other: vector to compare with the other property, unit length.
// $property: name of the other vector property.
// $within: number of evidence to search.
// $mix: weight of the cosine of the other property, in [0, 1].
// $vector: embedding of the query, unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $documents: ids of the documents to search; empty: all.
// $excluded: ids of documents that are being removed; they are excluded.
// $label: label that nodes must have; empty: any.
// $k: maximum number of rows.
MATCH (node:Evidence)
WHERE node.collection = $collection AND NOT node.document IN $excluded AND (size($documents) = 0 OR node.document IN $documents)
  AND node[$embedding] IS NOT NULL AND node[$property] IS NOT NULL AND ($label = '' OR $label IN labels(node))
WITH node, 2 * vector.similarity.cosine(node[$property], $other) - 1 AS other_score ORDER BY other_score DESC, node.id LIMIT $within
WITH node.id AS id, (1 - $mix) * (2 * vector.similarity.cosine(node[$embedding], $vector) - 1) + $mix * other_score AS score
WITH id, score ORDER BY score DESC, id LIMIT $k
RETURN collect([id, score]) AS rows
