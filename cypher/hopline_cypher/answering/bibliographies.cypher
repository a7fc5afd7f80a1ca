// Returns: id, name, title, bibliography, properties — what documents state about themselves, and the properties of their files, as JSON texts.
// $ids: ids of documents.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $ids AS id
MATCH (d:Document {id: id}) WHERE NOT d.id IN $excluded
RETURN d.id AS id, d.name AS name, coalesce(d.title, '') AS title, coalesce(d.bibliography, '') AS bibliography, coalesce(d.metadata_read, '') AS properties
