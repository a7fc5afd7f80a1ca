// Returns: id, name, title, pages — the documents that a question may mean, by name.
// $collection: id of the collection.
// $documents: ids of the documents that may be reached; empty: all.
MATCH (d:Document {collection: $collection})
WHERE NOT d:Removed AND (size($documents) = 0 OR d.id IN $documents)
RETURN d.id AS id, d.name AS name, d.title AS title, coalesce(d.pages, 0) AS pages ORDER BY name, id
