// Returns: id, name, collection, sha256, titles — JSONL files that wait for parsing.
// $limit: maximum number of files.
MATCH (f:Corpus&Waiting)
MATCH (c:Collection {id: f.collection}) WHERE NOT c:Removed
RETURN f.id AS id, f.name AS name, f.collection AS collection, f.sha256 AS sha256, coalesce(f.titles, 'keep') AS titles LIMIT $limit
