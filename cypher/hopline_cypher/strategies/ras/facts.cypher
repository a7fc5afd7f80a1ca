// Returns: rows of subject, predicate, object, evidence — triples stated by evidence, in the order of the ids.
// $ids: ids of evidence.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND range(0, size($ids) - 1) AS position
MATCH (t:Triple {evidence: $ids[position]}) WHERE NOT t.document IN $excluded
WITH position, t ORDER BY position, t.id
RETURN collect([t.subject, t.predicate, t.object, t.evidence]) AS rows
