// Returns: id — the collection, if it is marked for removal.
// $id: id of the collection.
MATCH (c:Collection&Removed {id: $id})
RETURN c.id AS id
