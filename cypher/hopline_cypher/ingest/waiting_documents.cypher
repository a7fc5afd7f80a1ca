// Returns: id, name, collection, sha256 — documents that wait for parsing, with the SHA-256 of the bytes to parse.
// $limit: maximum number of rows.
MATCH (d:Document&Waiting) WHERE NOT d:Removed
RETURN d.id AS id, d.name AS name, d.collection AS collection,
  CASE WHEN coalesce(d.waiting_sha256, '') = '' THEN d.sha256 ELSE d.waiting_sha256 END AS sha256 LIMIT $limit
