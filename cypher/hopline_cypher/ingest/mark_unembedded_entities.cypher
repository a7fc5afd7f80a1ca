// Returns: marked — how many entities of a collection wait for a vector now, at most $limit at a time.
// $collection: id of the collection.
// $limit: entities at a time.
MATCH (n:Entity {collection: $collection}) WHERE n.joins AND NOT n:UnembeddedEntity
WITH n LIMIT $limit
SET n:UnembeddedEntity
RETURN count(n) AS marked
