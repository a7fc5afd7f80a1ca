// Returns: removed — number of deleted entities, merge decisions, corrections and feedback of a collection that is being removed.
// $id: id of the collection.
// $limit: maximum number of nodes per call.
MATCH (c:Collection&Removed {id: $id})
SET c.changed_at = timestamp()
WITH c
CALL (c) {
  MATCH (n:Entity {collection: c.id}) RETURN n
  UNION ALL
  MATCH (n:Merged|Refused {collection: c.id}) RETURN n
  UNION ALL
  MATCH (n:Correction {collection: c.id}) RETURN n
  UNION ALL
  MATCH (n:Feedback {collection: c.id}) RETURN n
}
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS removed
