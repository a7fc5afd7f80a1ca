// Returns: theme, evidence — how much evidence each theme is the likeliest of, by its number; -1 for what waits.
// $collection: id of the collection.
MATCH (n:Evidence) WHERE n.collection = $collection
RETURN coalesce(n.theme, -1) AS theme, count(n) AS evidence
