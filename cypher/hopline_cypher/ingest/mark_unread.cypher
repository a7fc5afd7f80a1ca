// Returns: marked — how much evidence of a collection waits to be read again now, at most $limit at a time.
// $collection: id of the collection.
// $limit: evidence at a time.
MATCH (n:Evidence {collection: $collection}) WHERE NOT n:Unread
WITH n LIMIT $limit
SET n:Unread
RETURN count(n) AS marked
