// Returns: themes, labels — topic set and topic names of the collection; no row if it has none.
// $collection: id of the collection.
MATCH (c:Collection {id: $collection}) WHERE c.themes IS NOT NULL
RETURN c.themes AS themes, c.theme_labels AS labels
