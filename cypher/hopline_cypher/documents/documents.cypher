// Returns: id, name, title, sha256, state, reason, pages, passages, tables, warnings, left_out, path, metadata, bibliography — documents of a collection, ordered by name; sha256: of the parsed version, or of the added one if none is parsed yet; path: of the file that was added, empty if it is not known; metadata: layers as JSON texts, of which a later one replaces keys of an earlier one; bibliography: what the document states about itself, as JSON text.
// $collection: id of the collection.
// $text: part of the names, titles or authors in lower case; empty: all documents.
// $within: ids of documents, the others are left out; null: all documents.
// $skip: number of rows to skip.
// $limit: maximum number of rows.
MATCH (d:Document {collection: $collection}) WHERE NOT d:Removed AND ($within IS NULL OR d.id IN $within) AND ($text = '' OR toLower(d.name) CONTAINS $text OR toLower(coalesce(d.title, '')) CONTAINS $text OR any(author IN coalesce(d.authors, []) WHERE toLower(author) CONTAINS $text))
RETURN d.id AS id, d.name AS name, d.title AS title, CASE WHEN d.sha256 = '' THEN coalesce(d.waiting_sha256, '') ELSE d.sha256 END AS sha256, d.state AS state, d.reason AS reason,
  d.pages AS pages, d.passages AS passages, d.tables AS tables, d.warnings AS warnings, d.left_out AS left_out, coalesce(d.path, '') AS path,
  [coalesce(d.metadata_read, ''), coalesce(d.metadata_stated, ''), COLLECT { MATCH (f:Corpus {id: d.origin}) RETURN coalesce(f.metadata_side, '') }[0], COLLECT { MATCH (f:Corpus {id: d.origin}) RETURN coalesce(f.metadata_given, '') }[0],
    coalesce(d.metadata_side, ''), coalesce(d.metadata_given, '')] AS metadata, coalesce(d.bibliography, '') AS bibliography
ORDER BY name, id SKIP $skip LIMIT $limit
