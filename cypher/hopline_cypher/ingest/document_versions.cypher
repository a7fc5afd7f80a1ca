// Returns: id, version — documents that were parsed before, with their version.
// $ids: ids of documents.
UNWIND $ids AS id
MATCH (d:Document {id: id}) WHERE d.version <> '' AND NOT d:Removed
RETURN d.id AS id, d.version AS version
