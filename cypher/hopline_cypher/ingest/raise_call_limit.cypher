// Returns: nothing — raises the limit of model calls of the collection, once per request; a collection without a limit stays without one.
// $collection: id of the collection.
// $calls: number of calls to add.
// $request: id of the request; a transaction that is repeated does not raise the limit twice.
MATCH (c:Collection {id: $collection}) WHERE c.calls_left IS NOT NULL AND coalesce(c.limit_request, '') <> $request
SET c.calls_left = c.calls_left + $calls, c.limit_request = $request
