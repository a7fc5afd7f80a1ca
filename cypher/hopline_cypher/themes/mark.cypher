// Returns: marked — how many were marked as lacking their themes, at most $limit at a time.
// $collection: id of the collection.
// $embedding: name of the vector property.
// $limit: nodes at a time.
MATCH (n:Evidence) WHERE n.collection = $collection AND NOT n:Unthemed AND n.themed_by IS NULL AND n[$embedding] IS NOT NULL
WITH n LIMIT $limit
SET n:Unthemed
RETURN count(n) AS marked
