// Returns: nothing — changes the limit of model calls of the collection, never below 0; a collection without a limit stays without one.
// $collection: id of the collection.
// $calls: number of calls to add; negative for calls that were made.
MATCH (c:Collection {id: $collection}) WHERE c.calls_left IS NOT NULL
SET c.calls_left = CASE WHEN c.calls_left + $calls > 0 THEN c.calls_left + $calls ELSE 0 END
