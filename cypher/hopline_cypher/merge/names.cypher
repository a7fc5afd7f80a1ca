// Returns: rows of id, name, kind, aliases, mentioned — entities that are names, or given without a kind, those that most evidence mentions first.
// $collection: id of the collection.
// $limit: how many.
MATCH (e:Entity {collection: $collection}) WHERE e.named OR e.kind = ''
WITH e, COUNT { (e)<-[:MENTIONS]-() } AS mentioned WHERE mentioned > 0
ORDER BY mentioned DESC, e.id LIMIT $limit
RETURN collect([e.id, e.name, e.kind, e.aliases, mentioned]) AS rows
