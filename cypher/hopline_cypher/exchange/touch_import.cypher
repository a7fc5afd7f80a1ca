// Returns: id — the collection, if it is being imported still; later statements of the transaction write its contents.
// $id: id of the collection.
MATCH (c:Collection&Importing {id: $id})
SET c.imported_at = timestamp()
RETURN c.id AS id
