// Returns: nothing — how often reading may call the model for a collection from now on.
// $collection: id of the collection.
// $calls: how often, beside what is left of an earlier cap.
MATCH (c:Collection {id: $collection}) WHERE NOT c:Removed
SET c.calls_left = $calls + coalesce(c.calls_left, 0)
