// Returns: removed — how many pages of a collection went, at most $limit at a time.
// $collection: id of the collection.
// $limit: nodes at a time.
MATCH (:Document {collection: $collection})-[:HAS_PAGE]->(n:Page)
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS removed
