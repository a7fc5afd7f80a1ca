// Returns: removed — how many triples of a collection went, at most $limit at a time.
// $collection: id of the collection.
// $limit: nodes at a time.
MATCH (n:Evidence {collection: $collection})-[:STATES]->(t:Triple)
WITH t LIMIT $limit
DETACH DELETE t
RETURN count(*) AS removed
