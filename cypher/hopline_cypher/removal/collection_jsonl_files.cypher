// Returns: removed — number of deleted JSONL files of a collection that is being removed.
// $id: id of the collection.
// $limit: maximum number of files per call.
MATCH (c:Collection&Removed {id: $id})
SET c.changed_at = timestamp()
WITH c
MATCH (n:Corpus {collection: c.id})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS removed
