// Returns: rows of id, name, kind, aliases, mentioned — entities of a named kind, or given without a kind, by descending number of evidence that mentions them.
// $collection: id of the collection.
// $limit: maximum number of rows.
MATCH (e:Entity {collection: $collection}) WHERE e.named OR e.kind = ''
WITH e, COUNT { (e)<-[:MENTIONS]-() } AS mentioned WHERE mentioned > 0
ORDER BY mentioned DESC, e.id LIMIT $limit
RETURN collect([e.id, e.name, e.kind, e.aliases, mentioned]) AS rows
