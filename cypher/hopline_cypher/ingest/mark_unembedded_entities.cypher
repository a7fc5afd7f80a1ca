// Returns: marked — number of entities of a collection newly marked as waiting for a vector, at most $limit per call.
// $collection: id of the collection.
// $limit: maximum number of entities per call.
MATCH (n:Entity {collection: $collection}) WHERE n.joins AND NOT n:UnembeddedEntity
WITH n LIMIT $limit
SET n:UnembeddedEntity
RETURN count(n) AS marked
