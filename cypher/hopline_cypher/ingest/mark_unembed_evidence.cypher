// Returns: marked — how many were marked as missing, at most $limit at a time.
// $limit: nodes at a time.
MATCH (n:Evidence) WHERE NOT n:Unembedded
WITH n LIMIT $limit
SET n:Unembedded
RETURN count(n) AS marked
