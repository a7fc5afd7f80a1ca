// Returns: removed — number of deleted evidence, with the references that it lists, of a collection that is being removed.
// $id: id of the collection.
// $limit: maximum number of evidence per call.
MATCH (c:Collection&Removed {id: $id})
SET c.changed_at = timestamp()
WITH c
MATCH (n:Evidence {collection: c.id})
WITH n LIMIT $limit
WITH collect(n) AS deleted
CALL (deleted) { UNWIND deleted AS n MATCH (n)-[:LISTS]->(r:Reference) DETACH DELETE r }
CALL (deleted) { UNWIND deleted AS n DETACH DELETE n }
RETURN size(deleted) AS removed
