// Returns: source, source_kind, source_name, edge, target, target_kind, target_name — subject and object edges of triples.
// $ids: ids of triples.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $ids AS id
MATCH (t:Triple {id: id})-[r:SUBJECT|OBJECT]->(e:Entity) WHERE NOT t.document IN $excluded
RETURN t.id AS source, labels(t) AS source_kind, t.predicate AS source_name, type(r) AS edge, e.id AS target,
  labels(e) AS target_kind, e.name AS target_name
