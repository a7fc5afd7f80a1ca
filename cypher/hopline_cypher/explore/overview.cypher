// Returns: rows of source, source_kind, source_name, edge, target, target_kind, target_name — the entities shared by most of a sample of evidence, with that evidence.
// $sample: number of evidence in the sample.
// $names: maximum number of entities.
// $each: maximum number of evidence of one entity.
// $unlinked: entity kinds that are not followed (dates, amounts, common nouns).
// $collection: id of the collection.
// $excluded: ids of documents that are being removed; they are excluded.
MATCH (n:Evidence {collection: $collection}) WHERE NOT n.document IN $excluded
WITH n ORDER BY n.id LIMIT $sample
MATCH (n)-[r:MENTIONS|ABOUT]->(e:Entity) WHERE NOT e.kind IN $unlinked
WITH e, count(DISTINCT n) AS spread, collect(r) AS edges WHERE spread > 1
ORDER BY spread DESC, e.id LIMIT $names
UNWIND edges[..$each] AS r
WITH startNode(r) AS n, type(r) AS edge, e
RETURN collect([n.id, labels(n), coalesce(n.caption, n.text, ''), edge, e.id, labels(e), e.name]) AS rows
