// Returns: marked — how much evidence of a collection waits for a vector now, at most $limit at a time.
// $collection: id of the collection.
// $limit: evidence at a time.
MATCH (n:Evidence {collection: $collection}) WHERE NOT n:Unembedded
WITH n LIMIT $limit
SET n:Unembedded
RETURN count(n) AS marked
