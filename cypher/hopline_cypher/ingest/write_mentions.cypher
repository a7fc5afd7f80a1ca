// Returns: nothing — which evidence mentions which entity.
// $mentions: rows of evidence, entity, count, spans.
UNWIND $mentions AS row
MATCH (p:Evidence {id: row.evidence})
MATCH (e:Entity {id: row.entity})
CREATE (p)-[:MENTIONS {count: row.count, spans: row.spans}]->(e)
