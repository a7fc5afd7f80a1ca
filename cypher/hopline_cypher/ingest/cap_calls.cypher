// Returns: nothing — how often reading may call the model for a collection from now on.
// $collection: id of the collection.
// $calls: how often more than is left of an earlier cap; null: there is no cap.
MATCH (c:Collection {id: $collection})
SET c.calls_left = CASE WHEN $calls IS NULL THEN NULL ELSE $calls + coalesce(c.calls_left, 0) END
