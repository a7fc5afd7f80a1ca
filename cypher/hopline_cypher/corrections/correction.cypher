// Returns: id, kind, evidence, entity, saved — one correction: the evidence that it applies to, or the entity; empty: none; and what it replaced, as JSON text; empty for a triple.
// $id: id of the correction.
MATCH (k:Correction {id: $id})
OPTIONAL MATCH (d:Document {id: k.document})
WITH k, d WHERE k.entity IS NOT NULL OR d IS NOT NULL AND NOT d:Removed
OPTIONAL MATCH (k)-[:CORRECTS]->(e:Evidence)
RETURN k.id AS id, k.kind AS kind, coalesce(e.id, '') AS evidence, coalesce(k.entity, '') AS entity, coalesce(k.saved, '') AS saved
