// Returns: nothing — writes MENTIONS edges with the mentioned name; a name mentioned by a second evidence is marked as waiting for a vector.
// $mentions: rows of evidence, entity, count, spans, and optionally name, kind, aliases.
UNWIND $mentions AS row
MATCH (p:Evidence {id: row.evidence})
MATCH (e:Entity|Merged {id: row.entity})
MERGE (p)-[m:MENTIONS]->(e)
SET m = {count: row.count, spans: row.spans, name: row.name, kind: row.kind, aliases: row.aliases}
WITH DISTINCT e
WHERE e:Entity AND e.named AND NOT e.joins AND COUNT { (e)<-[:MENTIONS]-() } > 1
SET e:UnembeddedEntity, e.joins = true
