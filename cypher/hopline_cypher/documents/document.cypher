// Returns: id, name, collection, title, sha256, state, reason, pages, passages, tables, warnings, left_out, path — one document; collection: name of its collection; sha256: of the parsed version, or of the added one if none is parsed yet; path: of the file that was added, empty if it is not known.
// $id: id of the document.
MATCH (d:Document {id: $id}) WHERE NOT d:Removed
RETURN d.id AS id, d.name AS name, COLLECT { MATCH (c:Collection {id: d.collection}) RETURN c.name }[0] AS collection, d.title AS title, CASE WHEN d.sha256 = '' THEN coalesce(d.waiting_sha256, '') ELSE d.sha256 END AS sha256, d.state AS state,
  d.reason AS reason, d.pages AS pages, d.passages AS passages, d.tables AS tables, d.warnings AS warnings, d.left_out AS left_out, coalesce(d.path, '') AS path
