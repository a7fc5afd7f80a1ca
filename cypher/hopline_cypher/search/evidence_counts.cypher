// Returns: inside, total — number of evidence in the collection and in the whole graph.
// $collection: id of the collection.
MATCH (n:Evidence)
WITH count(n) AS total
OPTIONAL MATCH (m:Evidence) WHERE m.collection = $collection
RETURN count(m) AS inside, total
