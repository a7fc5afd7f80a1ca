// Returns: removed — 1 if the document, which has no content left, was deleted.
// $id: id of the document.
MATCH (d:Document&Removed {id: $id})
DETACH DELETE d
RETURN count(*) AS removed
