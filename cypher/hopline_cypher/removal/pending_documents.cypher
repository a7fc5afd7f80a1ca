// Returns: id — those of the documents that are marked for removal.
// $ids: ids of documents.
UNWIND $ids AS id
MATCH (d:Document&Removed {id: id})
RETURN d.id AS id
