// Returns: rows of id, entity, name, kind, aliases, spans — entities mentioned in evidence, with the character spans of the mentions: start, end, start, end, …
// $ids: ids of passages and tables.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $ids AS id
MATCH (n:Evidence {id: id})-[m:MENTIONS]->(e:Entity) WHERE NOT n.document IN $excluded
RETURN collect([id, e.id, e.name, coalesce(e.kind, ''), coalesce(e.aliases, []), coalesce(m.spans, [])]) AS rows
