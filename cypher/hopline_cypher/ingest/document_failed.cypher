// Returns: nothing — a document that cannot be read, and why; an earlier version of it stays.
// $id: id of the document.
// $reason: in words for the user.
MATCH (d:Document {id: $id})
SET d.state = 'failed', d.reason = $reason
REMOVE d:Waiting
