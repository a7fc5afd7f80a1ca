// Returns: marked — number of evidence of a collection newly marked as waiting for a vector, at most $limit per call.
// $collection: id of the collection.
// $limit: maximum number of evidence per call.
MATCH (n:Evidence {collection: $collection}) WHERE NOT n:Unembedded
WITH n LIMIT $limit
SET n:Unembedded
RETURN count(n) AS marked
