// Returns: collection, ids — evidence without nearest neighbours, of one collection at a time.
// $limit: maximum number of ids.
MATCH (n:Unrelated)
MATCH (d:Document {id: n.document}) WHERE NOT d:Removed
WITH n.collection AS collection, n.id AS id LIMIT $limit
RETURN collection, collect(id) AS ids ORDER BY size(ids) DESC, collection LIMIT 1
