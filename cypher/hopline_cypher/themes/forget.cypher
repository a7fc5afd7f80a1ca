// Returns: marked — how many lost their themes, at most $limit at a time.
// $collection: id of the collection.
// $limit: nodes at a time.
MATCH (n:Evidence) WHERE n.collection = $collection AND n.themed_by IS NOT NULL
WITH n LIMIT $limit
SET n['themes_' + n.themed_by] = null
SET n.themed_by = null, n.theme = null
REMOVE n:Unthemed
RETURN count(n) AS marked
