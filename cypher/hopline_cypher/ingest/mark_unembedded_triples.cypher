// Returns: marked — how many triples of a collection wait for a vector now, at most $limit at a time.
// $collection: id of the collection.
// $limit: triples at a time.
MATCH (:Evidence {collection: $collection})-[:STATES]->(n:Triple) WHERE NOT n:UnembeddedTriple
WITH n LIMIT $limit
SET n:UnembeddedTriple
RETURN count(n) AS marked
