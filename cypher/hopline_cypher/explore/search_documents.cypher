// Returns: rows of id, kind, name, about, size — documents whose name or title contains all of the words.
// $words: words in lower case.
// $limit: maximum number of rows.
// $collection: id of the collection.
MATCH (d:Document {collection: $collection})
WHERE NOT d:Removed AND all(word IN $words WHERE toLower(d.name) CONTAINS word OR toLower(coalesce(d.title, '')) CONTAINS word)
WITH d ORDER BY d.name, d.id LIMIT $limit
RETURN collect([d.id, labels(d), d.name, coalesce(d.title, ''), COUNT { (d)--() }]) AS rows
