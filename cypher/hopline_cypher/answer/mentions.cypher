// Returns: id, entity, name, kind, aliases, spans — the names in each evidence, with where its text says them: start, end, start, end, …
// $ids: ids of passages and tables.
UNWIND $ids AS id
MATCH (:Evidence {id: id})-[m:MENTIONS]->(e:Entity)
RETURN id, e.id AS entity, e.name AS name, coalesce(e.kind, '') AS kind, coalesce(e.aliases, []) AS aliases,
  coalesce(m.spans, []) AS spans
