// Returns: left — number of model calls that extraction may still make for the collection; null: no limit.
// $collection: id of the collection.
MATCH (c:Collection {id: $collection})
RETURN c.calls_left AS left
