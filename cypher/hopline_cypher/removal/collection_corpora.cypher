// Returns: removed — how many files of rows of a collection that waits to be removed are gone now.
// $id: id of the collection.
// $limit: files at most.
MATCH (c:Collection&Removed {id: $id})
SET c.changed_at = timestamp()
WITH c
MATCH (n:Corpus {collection: c.id})
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS removed
