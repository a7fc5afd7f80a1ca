// Returns: rows of source, source_kind, source_name, edge, target, target_kind, target_name — edges to the given entities from the triples and the evidence that connect at least two of them, triples first, then by descending number of entities.
// $ids: ids of entities.
// $each: maximum number of evidence and of triples of one entity, by id.
// $min_confidence: triples with a lower confidence are left out.
// $limit: maximum number of triples and evidence.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
CALL (e) {
  MATCH (e)<-[r:MENTIONS]-(n:Evidence) WHERE NOT n.document IN $excluded
  RETURN r, n ORDER BY n.id LIMIT $each
  UNION
  MATCH (e)<-[r:SUBJECT|OBJECT]-(n:Triple)
  WHERE NOT n.document IN $excluded AND coalesce(n.confidence, 1.0) >= $min_confidence
  RETURN r, n ORDER BY n.id LIMIT $each
}
WITH n, collect(DISTINCT r) AS edges, count(DISTINCT e) AS ends WHERE ends > 1
ORDER BY n:Triple DESC, ends DESC, n.id LIMIT $limit
UNWIND edges AS r
WITH n, type(r) AS edge, endNode(r) AS e
RETURN collect([n.id, labels(n), coalesce(n.caption, n.predicate, n.text, ''), edge, e.id, labels(e), e.name]) AS rows
