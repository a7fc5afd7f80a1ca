// Returns: id, name, state, rows, rows_done, problems — files of rows.
// $ids: their ids.
MATCH (f:Corpus) WHERE f.id IN $ids
RETURN f.id AS id, f.name AS name, f.state AS state, f.rows AS rows, f.rows_done AS rows_done, f.problems AS problems
