// Returns: nothing — writes triples with their evidence, and with their subject and object where these are entities. One that a correction leaves out is stored with the correction instead; a correction of evidence that is no longer there belongs to other evidence of the document on its pages that states the same.
// $triples: rows of id, evidence, properties, and optionally subject_id, subject_name, object_id, object_name.
UNWIND $triples AS row
MATCH (p:Evidence {id: row.evidence})
CALL (row, p) {
  OPTIONAL MATCH (k:Correction {document: p.document})
  WHERE k.kind = 'triple' AND toLower(k.subject) = toLower(row.properties.subject)
    AND toLower(k.predicate) = toLower(row.properties.predicate) AND toLower(k.object) = toLower(row.properties.object)
    AND (k.evidence = p.id OR any(page IN k.pages WHERE page IN p.pages) AND NOT EXISTS { (:Evidence {id: k.evidence}) })
  RETURN collect(k) AS rejections
}
FOREACH (k IN rejections | SET k.evidence = p.id, k.pages = p.pages, k.original = row.properties.text,
  k.subject = row.properties.subject, k.predicate = row.properties.predicate, k.object = row.properties.object, k.search = row.properties.search,
  k.start = row.properties.start, k.end = row.properties.end, k.confidence = row.properties.confidence,
  k.subject_id = row.subject_id, k.subject_name = row.subject_name, k.object_id = row.object_id, k.object_name = row.object_name)
WITH row, p, rejections WHERE size(rejections) = 0
MERGE (t:Triple {id: row.id})
SET t:UnembeddedTriple, t += row.properties
MERGE (p)-[:STATES]->(t)
WITH row, t
CALL (row, t) {
  MATCH (s:Entity|Merged {id: row.subject_id})
  MERGE (t)-[subject:SUBJECT]->(s)
  SET subject.name = row.subject_name
}
CALL (row, t) {
  MATCH (o:Entity|Merged {id: row.object_id})
  MERGE (t)-[object:OBJECT]->(o)
  SET object.name = row.object_name
}
