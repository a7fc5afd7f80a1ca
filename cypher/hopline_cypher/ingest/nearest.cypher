// Returns: id, other, score — nearest evidence of the same collection by the vector index.
// $ids: ids of evidence.
// $index: name of the vector index.
// $embedding: name of the vector property.
// $k: neighbours each.
// $width: candidates each.
UNWIND $ids AS id
MATCH (n:Evidence {id: id})
CALL (n) {
  CALL db.index.vector.queryNodes($index, $width, n[$embedding]) YIELD node
  WHERE node <> n AND node.collection = n.collection
  WITH node, 2 * vector.similarity.cosine(node[$embedding], n[$embedding]) - 1 AS score
  RETURN node, score ORDER BY score DESC, node.id LIMIT $k
}
RETURN n.id AS id, node.id AS other, score
