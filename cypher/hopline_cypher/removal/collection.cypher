// Returns: removed — 1 if the collection, of which nothing is left, is gone now, and what was learned on it.
// $id: id of the collection.
MATCH (c:Collection&Removed {id: $id})
SET c.changed_at = timestamp()
WITH c WHERE NOT EXISTS { (:Document {collection: c.id}) } AND NOT EXISTS { (:Evidence {collection: c.id}) }
OPTIONAL MATCH (l:Learned {collection: c.id})
DETACH DELETE l, c
RETURN count(DISTINCT c) AS removed
