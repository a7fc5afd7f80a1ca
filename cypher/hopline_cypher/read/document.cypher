// Returns: id, name, collection, title, sha256, state, reason, pages, passages, tables, warnings — one document.
// $id: its id.
MATCH (d:Document {id: $id})
RETURN d.id AS id, d.name AS name, d.collection AS collection, d.title AS title, d.sha256 AS sha256, d.state AS state,
  d.reason AS reason, d.pages AS pages, d.passages AS passages, d.tables AS tables, d.warnings AS warnings
