// Returns: marked — number of triples of a collection newly marked as waiting for a vector, at most $limit per call.
// $collection: id of the collection.
// $limit: maximum number of triples per call.
MATCH (:Evidence {collection: $collection})-[:STATES]->(n:Triple) WHERE NOT n:UnembeddedTriple
WITH n LIMIT $limit
SET n:UnembeddedTriple
RETURN count(n) AS marked
