// Returns: id — the collection that is imported, which is hidden until the end; no row if there is one of this id or name.
// $id: id of the collection.
// $name: its name.
OPTIONAL MATCH (known:Collection) WHERE known.id = $id OR known.name = $name
WITH known WHERE known IS NULL
CREATE (c:Collection:Importing {id: $id, name: $name, imported_at: timestamp()})
RETURN c.id AS id
