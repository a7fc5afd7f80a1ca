// Returns: id, name, state, rows, documents, problems — JSONL files; rows: number of documents that they become, 0 if not known yet; documents: number created so far.
// $ids: ids of the files.
MATCH (f:Corpus) WHERE f.id IN $ids
RETURN f.id AS id, f.name AS name, f.state AS state, f.rows AS rows,
  COUNT { MATCH (d:Document) WHERE d.origin = f.id AND d.origin_sha256 = f.sha256 AND NOT d:Removed } AS documents, f.problems AS problems
