// Returns: nothing — more or fewer calls of the model, never below none, where a collection has a cap; where it has none it gets none.
// $collection: id of the collection.
// $calls: how many more; what was spent is negative.
MATCH (c:Collection {id: $collection}) WHERE c.calls_left IS NOT NULL
SET c.calls_left = CASE WHEN c.calls_left + $calls > 0 THEN c.calls_left + $calls ELSE 0 END
