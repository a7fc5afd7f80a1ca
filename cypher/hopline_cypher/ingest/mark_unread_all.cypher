// Returns: marked — how many were marked as missing, at most $limit at a time.
// $limit: nodes at a time.
MATCH (n:Evidence) WHERE NOT n:Unread
WITH n LIMIT $limit
SET n:Unread
RETURN count(n) AS marked
