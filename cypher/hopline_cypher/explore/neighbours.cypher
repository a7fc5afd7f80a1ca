// Returns: source, source_kind, source_name, edge, target, target_kind, target_name — edges of the given nodes, in their stored direction: structure first, then what evidence is about, then mentions, by descending score or count, in the order of the document, by ids.
// $ids: ids of the nodes.
// $expanded: ids of nodes whose edges are known; edges to them are left out.
// $min_confidence: edges to triples with a lower confidence are left out.
// $limit: maximum number of rows.
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
WITH DISTINCT r, startNode(r) AS s, type(r) AS edge, endNode(r) AS t
ORDER BY CASE WHEN edge STARTS WITH 'HAS_' THEN 0 WHEN edge = 'ABOUT' THEN 1 WHEN edge = 'MENTIONS' THEN 2 ELSE 3 END,
  coalesce(r.score, r.count, 0) DESC, CASE WHEN t:Page THEN t.number ELSE coalesce(t.ordinal, 0) END, s.id, edge, t.id
LIMIT $limit
RETURN s.id AS source, labels(s) AS source_kind, coalesce(s.name, s.caption, s.predicate, s.text, toString(s.number), '') AS source_name,
  edge, t.id AS target, labels(t) AS target_kind, coalesce(t.name, t.caption, t.predicate, t.text, toString(t.number), '') AS target_name
