// Returns: total, ready, waiting, failed — numbers of documents of a collection, also by state.
// $collection: id of the collection.
// $text: part of the names, titles or authors in lower case; empty: all documents.
// $within: ids of documents, the others are left out; null: all documents.
MATCH (d:Document {collection: $collection}) WHERE NOT d:Removed AND ($within IS NULL OR d.id IN $within) AND ($text = '' OR toLower(d.name) CONTAINS $text OR toLower(coalesce(d.title, '')) CONTAINS $text OR any(author IN coalesce(d.authors, []) WHERE toLower(author) CONTAINS $text))
WITH count(d) AS total, sum(CASE d.state WHEN 'ready' THEN 1 ELSE 0 END) AS ready, sum(CASE d.state WHEN 'failed' THEN 1 ELSE 0 END) AS failed
RETURN total, ready, total - ready - failed AS waiting, failed
