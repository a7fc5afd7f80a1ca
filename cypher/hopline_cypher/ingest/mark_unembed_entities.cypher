// Returns: marked — how many were marked as missing, at most $limit at a time.
// $limit: nodes at a time.
MATCH (n:Entity) WHERE n.joins AND NOT n:UnembeddedEntity
WITH n LIMIT $limit
SET n:UnembeddedEntity
RETURN count(n) AS marked
