// Returns: name — the names of documents, in alphabetical order.
// $ids: ids of documents.
UNWIND $ids AS id
MATCH (d:Document {id: id})
RETURN d.name AS name ORDER BY name
