// Returns: nothing — all nodes of a collection wait for a vector of the embedder in use.
// $collection: id of the collection.
MATCH (c:Collection {id: $collection})
REMOVE c:ToEmbed
