// Returns: nothing — writes triples with their evidence, subject and object.
// $triples: rows of id, evidence, subject_id, object_id, properties, and optionally subject_name, object_name.
UNWIND $triples AS row
MATCH (p:Evidence {id: row.evidence})
MATCH (s:Entity|Merged {id: row.subject_id})
MATCH (o:Entity|Merged {id: row.object_id})
CREATE (t:Triple {id: row.id})
SET t:UnembeddedTriple, t += row.properties
CREATE (p)-[:STATES]->(t), (t)-[:SUBJECT {name: row.subject_name}]->(s), (t)-[:OBJECT {name: row.object_name}]->(o)
