// Returns: id — the collection, which is hidden from now on and marked for removal.
// $id: id of the collection.
MATCH (c:Collection {id: $id})
SET c:Removed, c.changed_at = timestamp()
RETURN c.id AS id
