// Returns: edges — number of edges of the given nodes.
// $ids: ids of the nodes.
// $expanded: ids of nodes whose edges are known; edges to them are left out.
// $min_confidence: edges to triples with a lower confidence are left out.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $ids AS id
CALL (id) {
  MATCH (n:Evidence {id: id}) RETURN n UNION
  MATCH (n:Entity {id: id}) RETURN n UNION
  MATCH (n:Triple {id: id}) RETURN n UNION
  MATCH (n:Reference {id: id}) RETURN n UNION
  MATCH (n:Page {id: id}) RETURN n UNION
  MATCH (n:Document {id: id}) RETURN n UNION
  MATCH (n:Collection {id: id}) RETURN n
}
MATCH (n)-[r]-(other)
WHERE NOT other:Merged|Correction AND NOT other.id IN $expanded AND coalesce(other.confidence, 1.0) >= $min_confidence
  AND NOT coalesce(n.document, n.id) IN $excluded AND NOT coalesce(other.document, other.id) IN $excluded
RETURN count(DISTINCT r) AS edges
