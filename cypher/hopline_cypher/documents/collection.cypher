// Returns: id, name, removed, extraction_model, hidden — the collection of this name and the one of this id; removed: whether it is being removed, or imported; extraction_model: its extraction model, empty for rules; hidden: ids of its documents that are being removed.
// $name: name of a collection.
// $id: id that a collection of this name would get.
MATCH (c:Collection) WHERE c.name = $name OR c.id = $id
RETURN c.id AS id, c.name AS name, (c:Removed OR c:Importing) AS removed, coalesce(c.extraction_model, '') AS extraction_model,
  COLLECT { MATCH (d:Removed) WHERE d:Document AND d.collection = c.id RETURN d.id } AS hidden
