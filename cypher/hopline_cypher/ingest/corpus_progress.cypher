// Returns: nothing — how far a file of rows is; done when it no longer waits.
// $id: id of the file.
// $rows_done: rows seen.
// $problems: bad rows in words.
// $done: whether that was all.
MATCH (f:Corpus {id: $id})
SET f.rows_done = $rows_done, f.problems = $problems, f.state = CASE WHEN $done THEN 'ready' ELSE f.state END
FOREACH (_ IN CASE WHEN $done THEN [1] ELSE [] END | REMOVE f:Waiting)
