// Returns: nothing — a file of rows that cannot be read, and why.
// $id: id of the file.
// $reason: in words for the user.
MATCH (f:Corpus {id: $id})
SET f.state = 'failed', f.problems = f.problems + [$reason]
REMOVE f:Waiting
