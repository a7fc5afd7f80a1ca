// Returns: id, name, collection, title, sha256, state, reason, pages, passages, tables, warnings, left_out, path, metadata, bibliography — one document; collection: name of its collection; sha256: of the parsed version, or of the added one if none is parsed yet; path: of the file that was added, empty if it is not known; metadata: layers as JSON texts, of which a later one replaces keys of an earlier one; bibliography: what the document states about itself, as JSON text.
// $id: id of the document.
MATCH (d:Document {id: $id}) WHERE NOT d:Removed
RETURN d.id AS id, d.name AS name, COLLECT { MATCH (c:Collection {id: d.collection}) RETURN c.name }[0] AS collection, d.title AS title, CASE WHEN d.sha256 = '' THEN coalesce(d.waiting_sha256, '') ELSE d.sha256 END AS sha256, d.state AS state,
  d.reason AS reason, d.pages AS pages, d.passages AS passages, d.tables AS tables, d.warnings AS warnings, d.left_out AS left_out, coalesce(d.path, '') AS path,
  [coalesce(d.metadata_read, ''), coalesce(d.metadata_stated, ''), COLLECT { MATCH (f:Corpus {id: d.origin}) RETURN coalesce(f.metadata_side, '') }[0], COLLECT { MATCH (f:Corpus {id: d.origin}) RETURN coalesce(f.metadata_given, '') }[0],
    coalesce(d.metadata_side, ''), coalesce(d.metadata_given, '')] AS metadata, coalesce(d.bibliography, '') AS bibliography
