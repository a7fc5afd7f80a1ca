// Returns: id, text, subject, predicate, object, evidence, confidence — triples by id.
// $ids: ids of triples.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $ids AS id
MATCH (t:Triple {id: id}) WHERE NOT t.document IN $excluded
RETURN t.id AS id, t.text AS text, t.subject AS subject, t.predicate AS predicate, t.object AS object, t.evidence AS evidence,
  coalesce(t.confidence, 1.0) AS confidence
