// Returns: themes, labels — the themes that the collection has; no row where it has none.
// $collection: id of the collection.
MATCH (c:Collection {id: $collection}) WHERE c.themes IS NOT NULL
RETURN c.themes AS themes, c.theme_labels AS labels
