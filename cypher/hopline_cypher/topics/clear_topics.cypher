// Returns: marked — number of evidence whose topics were removed, at most $limit per call.
// $collection: id of the collection.
// $limit: maximum number of nodes per call.
MATCH (n:Evidence) WHERE n.collection = $collection AND n.themed_by IS NOT NULL
WITH n LIMIT $limit
SET n['themes_' + n.themed_by] = null
SET n.themed_by = null, n.theme = null
REMOVE n:Unthemed
RETURN count(n) AS marked
