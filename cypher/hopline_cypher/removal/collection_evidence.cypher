// Returns: removed — how much evidence of a collection that waits to be removed is gone now.
// $id: id of the collection.
// $limit: evidence at most.
MATCH (c:Collection&Removed {id: $id})
SET c.changed_at = timestamp()
WITH c
MATCH (n:Evidence {collection: c.id})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS removed
