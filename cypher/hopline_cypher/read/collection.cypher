// Returns: id, name — the collection of this name, and those that have one of these ids.
// $name: name of a collection.
// $ids: ids that a collection of this name may get.
MATCH (c:Collection) WHERE c.name = $name OR c.id IN $ids
RETURN c.id AS id, c.name AS name
