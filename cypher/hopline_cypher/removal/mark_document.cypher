// Returns: id — the document, which is hidden from now on and marked for removal.
// $id: id of the document.
MATCH (d:Document {id: $id})
SET d:Removed, d.changed_at = timestamp()
REMOVE d:Waiting
WITH d
OPTIONAL MATCH (:Collection)-[has:HAS_DOCUMENT]->(d)
DELETE has
RETURN DISTINCT d.id AS id
