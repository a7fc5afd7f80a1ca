// Returns: id, name, title, pages, page_labels — documents of the collection, ordered by name; page_labels: the printed numbers of the pages in order, empty if none differs.
// $collection: id of the collection.
// $documents: ids of the documents to search; empty: all.
MATCH (d:Document {collection: $collection})
WHERE NOT d:Removed AND (size($documents) = 0 OR d.id IN $documents)
RETURN d.id AS id, d.name AS name, d.title AS title, coalesce(d.pages, 0) AS pages, coalesce(d.page_labels, []) AS page_labels ORDER BY name, id
