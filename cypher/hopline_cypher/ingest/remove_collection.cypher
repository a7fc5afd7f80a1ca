// Returns: nothing — an empty collection and its files of rows are gone.
// $collection: id of the collection.
OPTIONAL MATCH (f:Corpus {collection: $collection})
DETACH DELETE f
WITH count(*) AS _
MATCH (c:Collection {id: $collection})
DETACH DELETE c
