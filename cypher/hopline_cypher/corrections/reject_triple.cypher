// Returns: id — the correction, which is stored with all that undoing it needs; its triple is deleted, and its subject and object are marked for an update. No row if there is no such triple, or if its document is being parsed or removed.
// $triple: id of the triple.
// $correction: properties of the correction, with its id.
MATCH (t:Triple {id: $triple})
MATCH (d:Document {id: t.document})
SET d.changed_at = timestamp()
WITH t, d
OPTIONAL MATCH (f:Corpus {id: d.origin})
SET f.changed_at = timestamp()
WITH t, d, f WHERE NOT d:Waiting AND NOT d:Removed AND (f IS NULL OR NOT f:Waiting)
OPTIONAL MATCH (t)-[s:SUBJECT]->(subject)
OPTIONAL MATCH (t)-[o:OBJECT]->(object)
MERGE (k:Correction {id: $correction.id})
SET k = $correction, k.search = t.search, k.start = t.start, k.end = t.end, k.confidence = t.confidence,
  k.subject_id = coalesce(s.was, subject.id), k.subject_name = coalesce(s.name, subject.name), k.subject_kind = subject.kind,
  k.object_id = coalesce(o.was, object.id), k.object_name = coalesce(o.name, object.name), k.object_kind = object.kind
FOREACH (n IN [n IN [subject, object] WHERE n:Entity] | SET n:Unsettled)
DETACH DELETE t
RETURN k.id AS id
