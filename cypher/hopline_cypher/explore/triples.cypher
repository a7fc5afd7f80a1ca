// Returns: rows of id, subject, predicate, object, evidence, confidence — triples that an evidence states, or whose subject or object an entity is, the most probable first.
// $id: id of the evidence or entity.
// $limit: maximum number of rows.
// $excluded: ids of documents that are being removed; they are excluded.
CALL () {
  MATCH (:Evidence {id: $id})-[:STATES]->(t:Triple) RETURN t UNION
  MATCH (:Entity {id: $id})<-[:SUBJECT|OBJECT]-(t:Triple) RETURN t
}
WITH t WHERE NOT t.document IN $excluded
WITH t ORDER BY coalesce(t.confidence, 1.0) DESC, t.id LIMIT $limit
RETURN collect([t.id, t.subject, t.predicate, t.object, t.evidence, coalesce(t.confidence, 1.0)]) AS rows
