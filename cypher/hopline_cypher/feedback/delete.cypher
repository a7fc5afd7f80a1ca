// Returns: id — the feedback, which is deleted; no row if there is none with this id.
// $id: id of the feedback.
MATCH (f:Feedback {id: $id})
WITH f, f.id AS id
DETACH DELETE f
RETURN id
