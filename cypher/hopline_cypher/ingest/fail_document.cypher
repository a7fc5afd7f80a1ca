// Returns: nothing — marks a document as failed with the reason, unless another version of it waits by now. An earlier parsed version is retained.
// $id: id of the document.
// $sha256: SHA-256 of the bytes that could not be parsed.
// $reason: error message for the user.
MATCH (d:Document {id: $id})
SET d.changed_at = timestamp()
WITH d WHERE d:Waiting AND d.waiting_sha256 = $sha256
SET d.state = 'failed',
  d.reason = $reason + CASE WHEN d.version <> '' THEN '; the version that was read before still answers' ELSE '' END
REMOVE d:Waiting
