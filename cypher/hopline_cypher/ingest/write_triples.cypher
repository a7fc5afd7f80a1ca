// Returns: nothing — writes triples with their evidence, subject and object.
// $triples: rows of id, evidence, subject_id, object_id, properties, and optionally subject_name, object_name.
UNWIND $triples AS row
MATCH (p:Evidence {id: row.evidence})
MATCH (s:Entity|Merged {id: row.subject_id})
MATCH (o:Entity|Merged {id: row.object_id})
MERGE (t:Triple {id: row.id})
SET t:UnembeddedTriple, t += row.properties
MERGE (p)-[:STATES]->(t)
MERGE (t)-[subject:SUBJECT]->(s)
MERGE (t)-[object:OBJECT]->(o)
SET subject.name = row.subject_name, object.name = row.object_name
