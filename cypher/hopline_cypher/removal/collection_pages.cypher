// Returns: removed — how many documents of a collection that waits to be removed are gone now, with their pages.
// $id: id of the collection.
// $limit: documents at most.
MATCH (c:Collection&Removed {id: $id})
SET c.changed_at = timestamp()
WITH c
MATCH (d:Document&Removed {collection: c.id})
WITH d LIMIT $limit
OPTIONAL MATCH (d)-[:HAS_PAGE]->(p:Page)
DETACH DELETE p, d
RETURN count(DISTINCT d) AS removed
