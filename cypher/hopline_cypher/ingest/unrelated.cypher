// Returns: collection, ids — evidence without its nearest neighbours, one collection at a time.
// $limit: ids at most.
MATCH (n:Unrelated)
WITH n.collection AS collection, n.id AS id LIMIT $limit
RETURN collection, collect(id) AS ids ORDER BY size(ids) DESC LIMIT 1
