// Returns: removed — how many triples of a collection that waits to be removed are gone now.
// $id: id of the collection.
// $limit: triples at most.
MATCH (c:Collection&Removed {id: $id})
SET c.changed_at = timestamp()
WITH c
MATCH (n:Evidence {collection: c.id})-[:STATES]->(t:Triple)
WITH t LIMIT $limit
DETACH DELETE t
RETURN count(*) AS removed
