// Returns: marked — number of evidence that was marked as lacking topics, at most $limit per call.
// $collection: id of the collection.
// $embedding: name of the vector property.
// $limit: maximum number of nodes per call.
MATCH (n:Evidence) WHERE n.collection = $collection AND NOT n:Unthemed AND n.themed_by IS NULL AND n[$embedding] IS NOT NULL
WITH n LIMIT $limit
SET n:Unthemed
RETURN count(n) AS marked
