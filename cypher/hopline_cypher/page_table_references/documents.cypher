// Returns: id, name, title, pages — documents of the collection, ordered by name.
// $collection: id of the collection.
// $documents: ids of the documents to search; empty: all.
MATCH (d:Document {collection: $collection})
WHERE NOT d:Removed AND (size($documents) = 0 OR d.id IN $documents)
RETURN d.id AS id, d.name AS name, d.title AS title, coalesce(d.pages, 0) AS pages ORDER BY name, id
