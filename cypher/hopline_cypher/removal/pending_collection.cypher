// Returns: id — the collection, if it waits to be removed.
// $id: id of the collection.
MATCH (c:Collection&Removed {id: $id})
RETURN c.id AS id
