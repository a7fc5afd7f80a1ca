// Returns: removed — how many nodes of a collection went, at most $limit at a time.
// $collection: id of the collection.
// $limit: nodes at a time.
MATCH (n:Entity|Merged|Refused {collection: $collection})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS removed
