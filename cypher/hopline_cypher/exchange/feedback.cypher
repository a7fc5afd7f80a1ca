// Returns: rows of id, labels, properties — feedback of a collection, ordered by id.
// $collection: id of the collection.
// $after: id after which to continue; empty: from the first one.
// $limit: maximum number of rows.
MATCH (n:Feedback) USING INDEX n:Feedback(id) WHERE n.id > $after AND n.collection = $collection
WITH n ORDER BY n.id LIMIT $limit
RETURN collect([n.id, labels(n), properties(n)]) AS rows
