// Returns: nothing — more calls of the model where a collection has a cap; where it has none it gets none.
// $collection: id of the collection.
// $calls: how many more.
MATCH (c:Collection {id: $collection}) WHERE c.calls_left IS NOT NULL
SET c.calls_left = c.calls_left + $calls
