// Returns: nothing — all evidence of a collection waits to be read again.
// $collection: id of the collection.
MATCH (c:Collection {id: $collection})
REMOVE c:ToExtract
