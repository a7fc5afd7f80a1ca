// Returns: rows of id, score — k nearest tables of the collection; exact scan, by descending score.
// $vector: embedding of the query, unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $excluded: ids of documents that are being removed; they are excluded.
// $k: maximum number of rows.
MATCH (node:Evidence:Table {collection: $collection}) WHERE NOT coalesce(node.document, '') IN $excluded AND node[$embedding] IS NOT NULL
WITH node.id AS id, 2 * vector.similarity.cosine(node[$embedding], $vector) - 1 AS score
WITH id, score ORDER BY score DESC, id LIMIT $k
RETURN collect([id, score]) AS rows
