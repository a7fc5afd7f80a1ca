// Returns: evidence, id, name, kind, spans — the named entities that each evidence mentions, with the character spans of the mentions: start, end, start, end, …
// $ids: ids of evidence.
UNWIND $ids AS id
MATCH (:Evidence {id: id})-[m:MENTIONS]->(e:Entity) WHERE e.named
RETURN id AS evidence, e.id AS id, e.name AS name, coalesce(e.kind, '') AS kind, coalesce(m.spans, []) AS spans
ORDER BY name, id
