// Returns: nothing — writes mentions that were linked by name; existing mentions are not changed.
// $mentions: rows of evidence, entity, count, spans.
UNWIND $mentions AS row
MATCH (p:Evidence {id: row.evidence})
MATCH (e:Entity|Merged {id: row.entity})
WHERE NOT EXISTS { (p)-[:MENTIONS]->(e) } AND NOT EXISTS { (p)-[:MENTIONS {was: row.entity}]->() }
CREATE (p)-[:MENTIONS {count: row.count, spans: row.spans, by: 'name'}]->(e)
WITH DISTINCT e
WHERE e:Entity AND e.named AND NOT e.joins AND COUNT { (e)<-[:MENTIONS]-() } > 1
SET e:UnembeddedEntity, e.joins = true
