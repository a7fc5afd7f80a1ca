// Returns: nothing — links corrections with the evidence of claimed documents that they were applied to again.
// $corrections: rows of id, evidence, version, properties.
UNWIND $corrections AS row
MATCH (k:Correction {id: row.id})
MATCH (d:Document {id: k.document}) WHERE d.writing = row.version
MATCH (e:Evidence {id: row.evidence})
CALL (k, e) { MATCH (k)-[old:CORRECTS]->(other) WHERE other <> e DELETE old }
MERGE (k)-[:CORRECTS]->(e)
SET k += row.properties
