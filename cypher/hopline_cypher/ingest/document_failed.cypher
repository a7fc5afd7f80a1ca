// Returns: nothing — a document that cannot be read, and why; unless another version of it waits by now. An earlier version of it stays.
// $id: id of the document.
// $sha256: of the bytes that could not be read.
// $reason: in words for the user.
MATCH (d:Document {id: $id})
SET d.changed_at = timestamp()
WITH d WHERE d:Waiting AND d.waiting_sha256 = $sha256
SET d.state = 'failed',
  d.reason = $reason + CASE WHEN d.version <> '' THEN '; the version that was read before still answers' ELSE '' END
REMOVE d:Waiting
