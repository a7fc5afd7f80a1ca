// Returns: nothing — a file of rows that cannot be read, and why; unless another version of it waits by now.
// $id: id of the file.
// $sha256: of the bytes that were read.
// $reason: in words for the user.
MATCH (f:Corpus {id: $id})
SET f.changed_at = timestamp()
WITH f WHERE f:Waiting AND f.sha256 = $sha256
SET f.state = 'failed', f.problems = f.problems + [$reason]
REMOVE f:Waiting
