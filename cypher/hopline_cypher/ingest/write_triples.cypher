// Returns: nothing — writes triples with their evidence, and with their subject and object where these are entities.
// $triples: rows of id, evidence, properties, and optionally subject_id, subject_name, object_id, object_name.
UNWIND $triples AS row
MATCH (p:Evidence {id: row.evidence})
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
