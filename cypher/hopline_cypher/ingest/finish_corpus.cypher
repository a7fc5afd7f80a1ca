// Returns: nothing — a file of rows whose documents are all there.
// $id: id of the file.
// $problems: bad rows in words.
MATCH (f:Corpus {id: $id})
SET f.problems = $problems, f.state = 'ready'
REMOVE f:Waiting
