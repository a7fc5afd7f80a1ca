// Returns: rows of subject, predicate, object, evidence — the triples that evidence states, in the order of the ids.
// $ids: ids of evidence.
UNWIND range(0, size($ids) - 1) AS place
MATCH (t:Triple {evidence: $ids[place]})
WITH place, t ORDER BY place, t.id
RETURN collect([t.subject, t.predicate, t.object, t.evidence]) AS rows
