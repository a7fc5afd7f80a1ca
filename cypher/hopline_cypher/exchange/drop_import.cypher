// Returns: id — the collection whose import failed, which is marked for removal.
// $id: id of the collection.
MATCH (c:Collection&Importing {id: $id})
REMOVE c:Importing
SET c:Removed
RETURN c.id AS id
