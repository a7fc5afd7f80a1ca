// Returns: rows of id, labels, properties — a collection.
// $collection: id of the collection.
MATCH (c:Collection {id: $collection}) WHERE NOT c:Removed
RETURN collect([c.id, labels(c), properties(c)]) AS rows
