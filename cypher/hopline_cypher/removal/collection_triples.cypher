// Returns: removed — number of deleted triples of a collection that is being removed.
// $id: id of the collection.
// $limit: maximum number of triples per call.
MATCH (c:Collection&Removed {id: $id})
SET c.changed_at = timestamp()
WITH c
MATCH (n:Evidence {collection: c.id})-[:STATES]->(t:Triple)
WITH t LIMIT $limit
DETACH DELETE t
RETURN count(*) AS removed
