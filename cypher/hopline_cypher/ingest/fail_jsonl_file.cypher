// Returns: nothing — marks a JSONL file as failed with the reason, unless another version of it waits by now.
// $id: id of the JSONL file.
// $sha256: SHA-256 of the bytes that were parsed.
// $reason: error message for the user.
MATCH (f:Corpus {id: $id})
SET f.changed_at = timestamp()
WITH f WHERE f:Waiting AND f.sha256 = $sha256
SET f.state = 'failed', f.problems = f.problems + [$reason]
REMOVE f:Waiting
