// Returns: removed — 1 if the document, of which nothing is left, is gone now.
// $id: id of the document.
MATCH (d:Document&Removed {id: $id})
DETACH DELETE d
RETURN count(*) AS removed
