// Returns: theme, evidence — number of evidence by its most likely topic (number of the topic); -1: evidence that waits for topics.
// $collection: id of the collection.
MATCH (n:Evidence) WHERE n.collection = $collection
RETURN coalesce(n.theme, -1) AS theme, count(n) AS evidence
