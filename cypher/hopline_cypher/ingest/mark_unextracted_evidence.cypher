// Returns: marked — number of evidence of a collection newly marked as waiting for extraction, at most $limit per call.
// $collection: id of the collection.
// $limit: maximum number of evidence per call.
MATCH (n:Evidence {collection: $collection}) WHERE NOT n:Unread
WITH n LIMIT $limit
SET n:Unread
RETURN count(n) AS marked
