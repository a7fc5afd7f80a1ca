// Returns: nothing — sets or raises the limit of model calls that extraction may make for the collection.
// $collection: id of the collection.
// $calls: number of calls, added to the remaining ones of an earlier limit.
MATCH (c:Collection {id: $collection}) WHERE NOT c:Removed
SET c.calls_left = $calls + coalesce(c.calls_left, 0)
