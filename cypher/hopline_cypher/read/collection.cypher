// Returns: id, name — the collection of this name, and the one of this id.
// $name: name of a collection.
// $id: id that a collection of this name may get.
MATCH (c:Collection) WHERE c.name = $name OR c.id = $id
RETURN c.id AS id, c.name AS name
