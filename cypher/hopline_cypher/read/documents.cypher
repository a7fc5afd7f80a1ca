// Returns: id, name, title, sha256, state, reason, pages, passages, tables, warnings — documents of a collection by name; sha256: of the version that was read, or of the one that was added where none was read yet.
// $collection: id of the collection.
// $skip: rows to leave out.
// $limit: rows at most.
MATCH (d:Document {collection: $collection}) WHERE NOT d:Removed
RETURN d.id AS id, d.name AS name, d.title AS title, CASE WHEN d.sha256 = '' THEN coalesce(d.waiting_sha256, '') ELSE d.sha256 END AS sha256, d.state AS state, d.reason AS reason,
  d.pages AS pages, d.passages AS passages, d.tables AS tables, d.warnings AS warnings
ORDER BY name, id SKIP $skip LIMIT $limit
