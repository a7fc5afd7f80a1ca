// Returns: id, evidence, saved — one correction: the evidence that it applies to, empty if there is none, and what it replaced, as JSON text.
// $id: id of the correction.
MATCH (k:Correction {id: $id})
MATCH (d:Document {id: k.document}) WHERE NOT d:Removed
OPTIONAL MATCH (k)-[:CORRECTS]->(e:Evidence)
RETURN k.id AS id, coalesce(e.id, '') AS evidence, k.saved AS saved
