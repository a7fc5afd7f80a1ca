// Returns: removed — number of documents of a collection that is being removed which are hidden now; nothing is written to them any more.
// $id: id of the collection.
// $limit: maximum number of documents per call.
MATCH (c:Collection&Removed {id: $id})
SET c.changed_at = timestamp()
WITH c
MATCH (d:Document {collection: c.id}) WHERE NOT d:Removed
WITH d LIMIT $limit
SET d:Removed, d.changed_at = timestamp()
REMOVE d:Waiting
RETURN count(*) AS removed
