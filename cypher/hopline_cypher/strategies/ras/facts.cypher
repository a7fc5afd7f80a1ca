// Returns: rows of subject, predicate, object, evidence — triples stated by evidence, in the order of the ids; those of
// one evidence in the order in which its text names their objects, then their subjects.
// $ids: ids of evidence.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND range(0, size($ids) - 1) AS position
MATCH (e:Evidence {id: $ids[position]})
MATCH (t:Triple {evidence: e.id}) WHERE NOT t.document IN $excluded
WITH position, t, toLower(e.text) AS text
WITH position, t, size(split(text, toLower(t.object))[0]) AS object, size(split(text, toLower(t.subject))[0]) AS subject
ORDER BY position, object, subject, t.id
RETURN collect([t.subject, t.predicate, t.object, t.evidence]) AS rows
