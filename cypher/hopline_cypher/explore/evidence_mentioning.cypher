// Returns: rows of id, spans — evidence that mentions an entity or is about it, evidence about it first, with the character spans of the mentions: start, end, start, end, …
// $id: id of the entity.
// $limit: maximum number of rows.
// $excluded: ids of documents that are being removed; they are excluded.
// The evidence is limited before its mentions are read: a hundred thousand passages may mention an entity.
MATCH (e:Entity {id: $id})
CALL (e) {
  MATCH (e)<-[:ABOUT]-(n:Evidence) WHERE NOT n.document IN $excluded
  RETURN n, 1 AS about ORDER BY n.id LIMIT $limit
  UNION ALL
  MATCH (e)<-[:MENTIONS]-(n:Evidence) WHERE NOT n.document IN $excluded
  RETURN n, 0 AS about ORDER BY n.id LIMIT $limit
}
WITH e, n, max(about) AS about ORDER BY about DESC, n.id LIMIT $limit
OPTIONAL MATCH (n)-[m:MENTIONS]->(e)
WITH n, about, coalesce(m.spans, []) AS spans ORDER BY about DESC, n.id
RETURN collect([n.id, spans]) AS rows
