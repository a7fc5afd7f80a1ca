// Returns: removed — number of deleted documents, with their pages, of a collection that is being removed.
// $id: id of the collection.
// $limit: maximum number of documents per call.
MATCH (c:Collection&Removed {id: $id})
SET c.changed_at = timestamp()
WITH c
MATCH (d:Document&Removed {collection: c.id})
WITH d LIMIT $limit
OPTIONAL MATCH (d)-[:HAS_PAGE]->(p:Page)
DETACH DELETE p, d
RETURN count(DISTINCT d) AS removed
