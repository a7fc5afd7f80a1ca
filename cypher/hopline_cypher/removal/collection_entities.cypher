// Returns: removed — how many entities, and decisions about them, of a collection that waits to be removed are gone now.
// $id: id of the collection.
// $limit: nodes at most.
MATCH (c:Collection&Removed {id: $id})
SET c.changed_at = timestamp()
WITH c
MATCH (n:Entity|Merged|Refused {collection: c.id})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS removed
