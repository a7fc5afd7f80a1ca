// Returns: inside, total — how much evidence the collection has, and the graph.
// $collection: id of the collection.
MATCH (n:Evidence)
WITH count(n) AS total
OPTIONAL MATCH (m:Evidence) WHERE m.collection = $collection
RETURN count(m) AS inside, total
