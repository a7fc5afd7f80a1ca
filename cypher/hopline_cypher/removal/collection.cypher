// Returns: removed — 1 if the empty collection was deleted, with its learned parameters.
// $id: id of the collection.
MATCH (c:Collection&Removed {id: $id})
SET c.changed_at = timestamp()
WITH c WHERE NOT EXISTS { (:Document {collection: c.id}) } AND NOT EXISTS { (:Evidence {collection: c.id}) }
OPTIONAL MATCH (l:Learned {collection: c.id})
DETACH DELETE l, c
RETURN count(DISTINCT c) AS removed
