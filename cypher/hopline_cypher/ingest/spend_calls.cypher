// Returns: nothing — calls of the model that reading a collection took.
// $collection: id of the collection.
// $calls: how many.
MATCH (c:Collection {id: $collection}) WHERE c.calls_left IS NOT NULL
SET c.calls_left = CASE WHEN c.calls_left > $calls THEN c.calls_left - $calls ELSE 0 END
