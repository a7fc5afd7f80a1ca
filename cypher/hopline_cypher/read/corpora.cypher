// Returns: id, name, state, rows, documents, problems — files of rows; rows: how many documents they become, 0 until that is known; documents: how many came of each so far.
// $ids: their ids.
MATCH (f:Corpus) WHERE f.id IN $ids
RETURN f.id AS id, f.name AS name, f.state AS state, f.rows AS rows,
  COUNT { MATCH (d:Document) WHERE d.origin = f.id AND d.origin_sha256 = f.sha256 AND NOT d:Removed } AS documents, f.problems AS problems
