// Returns: nothing — clears the mark of a collection to be embedded again, once all its nodes wait for a vector.
// $collection: id of the collection.
MATCH (c:Collection {id: $collection})
REMOVE c:ToEmbed
