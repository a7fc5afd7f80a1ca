// Returns: removed — 1 if the document, which has no content left, was deleted, with its corrections.
// $id: id of the document.
MATCH (d:Document&Removed {id: $id})
CALL (d) { MATCH (k:Correction {document: d.id}) DETACH DELETE k }
DETACH DELETE d
RETURN count(*) AS removed
