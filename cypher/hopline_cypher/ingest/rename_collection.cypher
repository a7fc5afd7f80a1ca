// Returns: name — the new name of a collection; no row if it does not exist or another one has this name.
// $id: id of the collection, which does not change.
// $name: the new name.
MATCH (c:Collection {id: $id}) WHERE NOT EXISTS { MATCH (other:Collection) WHERE other.name = $name }
SET c.name = $name
RETURN c.name AS name
