// Returns: id, name, title, sha256, state, reason, pages, passages, tables, warnings — documents of a collection by name.
// $collection: id of the collection.
// $skip: rows to leave out.
// $limit: rows at most.
MATCH (d:Document {collection: $collection})
RETURN d.id AS id, d.name AS name, d.title AS title, d.sha256 AS sha256, d.state AS state, d.reason AS reason,
  d.pages AS pages, d.passages AS passages, d.tables AS tables, d.warnings AS warnings
ORDER BY name SKIP $skip LIMIT $limit
