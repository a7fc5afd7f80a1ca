// Returns: id — a collection of this id, also one that is hidden.
// $id: id of the collection.
MATCH (c:Collection {id: $id})
RETURN c.id AS id
