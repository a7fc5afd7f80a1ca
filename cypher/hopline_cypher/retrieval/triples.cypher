// Returns: id, text, subject, predicate, object, evidence — triples by id.
// $ids: ids of triples.
UNWIND $ids AS id
MATCH (t:Triple {id: id})
RETURN t.id AS id, t.text AS text, t.subject AS subject, t.predicate AS predicate, t.object AS object, t.evidence AS evidence
