// Returns: rows of id, other, score — nearest evidence of the same collection by the vector index, with exact cosines.
// $ids: ids of evidence.
// $index: name of the vector index.
// $embedding: name of the vector property.
// $width: number of candidates per evidence, over all collections.
UNWIND $ids AS id
MATCH (n:Evidence {id: id}) WHERE n[$embedding] IS NOT NULL
CALL db.index.vector.queryNodes($index, $width, n[$embedding]) YIELD node
WHERE node <> n AND node.collection = n.collection
RETURN collect([n.id, node.id, 2 * vector.similarity.cosine(node[$embedding], n[$embedding]) - 1]) AS rows
