// Returns: collection, document, evidence, subject, predicate, object, text, search, start, end, confidence, subject_id, subject_name, subject_kind, object_id, object_name, object_kind — the triple that a correction leaves out.
// $id: id of the correction.
MATCH (k:Correction {id: $id, kind: 'triple'})
RETURN k.collection AS collection, k.document AS document, k.evidence AS evidence, k.subject AS subject, k.predicate AS predicate,
  k.object AS object, k.original AS text, k.search AS search, k.start AS start, k.end AS end, k.confidence AS confidence,
  k.subject_id AS subject_id, k.subject_name AS subject_name,
  coalesce(k.subject_kind, '') AS subject_kind, k.object_id AS object_id, k.object_name AS object_name,
  coalesce(k.object_kind, '') AS object_kind
