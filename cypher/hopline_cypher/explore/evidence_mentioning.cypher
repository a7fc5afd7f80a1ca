// Returns: rows of id, spans — evidence that mentions an entity or is about it, evidence about it first, with the character spans of the mentions: start, end, start, end, …
// $id: id of the entity.
// $limit: maximum number of rows.
// $excluded: ids of documents that are being removed; they are excluded.
MATCH (e:Entity {id: $id})<-[:MENTIONS|ABOUT]-(n:Evidence) WHERE NOT n.document IN $excluded
WITH DISTINCT e, n
OPTIONAL MATCH (n)-[m:MENTIONS]->(e)
WITH n, EXISTS { (n)-[:ABOUT]->(e) } AS about, coalesce(m.spans, []) AS spans
ORDER BY about DESC, n.id LIMIT $limit
RETURN collect([n.id, spans]) AS rows
