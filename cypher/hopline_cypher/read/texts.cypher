// Returns: id, text — the texts of evidence.
// $ids: ids of evidence.
UNWIND $ids AS id
MATCH (n:Evidence {id: id})
RETURN n.id AS id, n.text AS text
