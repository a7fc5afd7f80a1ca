// Returns: rows of id, subject, predicate, object, evidence — the triples that an evidence states, or that an entity is an end of.
// $id: id of the evidence or entity.
// $limit: how many.
CALL () {
  MATCH (:Evidence {id: $id})-[:STATES]->(t:Triple) RETURN t UNION
  MATCH (:Entity {id: $id})<-[:SUBJECT|OBJECT]-(t:Triple) RETURN t
}
WITH t ORDER BY t.id LIMIT $limit
RETURN collect([t.id, t.subject, t.predicate, t.object, t.evidence]) AS rows
