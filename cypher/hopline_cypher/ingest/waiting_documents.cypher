// Returns: id, name, collection, sha256, version — documents to be read.
// $limit: rows at most.
MATCH (d:Document&Waiting)
RETURN d.id AS id, d.name AS name, d.collection AS collection, d.sha256 AS sha256, d.version AS version LIMIT $limit
