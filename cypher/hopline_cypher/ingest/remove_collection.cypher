// Returns: nothing — an empty collection, its files of rows and what was learned on it are gone.
// $collection: id of the collection.
OPTIONAL MATCH (f:Corpus {collection: $collection})
DETACH DELETE f
WITH count(*) AS _
OPTIONAL MATCH (l:Learned {collection: $collection})
DELETE l
WITH count(*) AS _
MATCH (c:Collection {id: $collection})
DETACH DELETE c
