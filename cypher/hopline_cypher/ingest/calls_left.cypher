// Returns: left — how often reading may still call the model for a collection; null: there is no cap.
// $collection: id of the collection.
MATCH (c:Collection {id: $collection})
RETURN c.calls_left AS left
