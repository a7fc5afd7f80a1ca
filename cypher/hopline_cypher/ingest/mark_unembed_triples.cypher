// Returns: marked — how many were marked as missing, at most $limit at a time.
// $limit: nodes at a time.
MATCH (n:Triple) WHERE NOT n:UnembeddedTriple
WITH n LIMIT $limit
SET n:UnembeddedTriple
RETURN count(n) AS marked
