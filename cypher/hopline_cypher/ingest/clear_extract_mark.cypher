// Returns: nothing — clears the mark of a collection to be extracted again, once all its evidence waits for extraction.
// $collection: id of the collection.
MATCH (c:Collection {id: $collection})
REMOVE c:ToExtract
