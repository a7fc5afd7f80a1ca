// Returns: id — of these documents those that wait to be removed.
// $ids: ids of documents.
UNWIND $ids AS id
MATCH (d:Document&Removed {id: id})
RETURN d.id AS id
