// Returns: rows of source, source_kind, source_name, edge, target, target_kind, target_name — the names that most of a sample of evidence shares, with that evidence.
// $sample: how much evidence is looked at.
// $names: how many names.
// $each: evidence of one name at most.
// $unlinked: kinds of entities that join nothing (dates, amounts, plain nouns).
// $collection: id of the collection.
MATCH (n:Evidence {collection: $collection})
WITH n LIMIT $sample
MATCH (n)-[r:MENTIONS|ABOUT]->(e:Entity) WHERE NOT e.kind IN $unlinked
WITH e, count(DISTINCT n) AS spread, collect(r) AS ties WHERE spread > 1
ORDER BY spread DESC, e.id LIMIT $names
UNWIND ties[..$each] AS r
WITH startNode(r) AS n, type(r) AS edge, e
RETURN collect([n.id, labels(n), coalesce(n.caption, n.text, ''), edge, e.id, labels(e), e.name]) AS rows
