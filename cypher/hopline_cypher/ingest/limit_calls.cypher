// Returns: nothing — sets or raises the limit of model calls that extraction may make for the collection, once per request.
// $collection: id of the collection.
// $calls: number of calls, added to the remaining ones of an earlier limit.
// $request: id of the request; a transaction that is repeated does not raise the limit twice.
MATCH (c:Collection {id: $collection}) WHERE NOT c:Removed AND coalesce(c.limit_request, '') <> $request
SET c.calls_left = $calls + coalesce(c.calls_left, 0), c.limit_request = $request
