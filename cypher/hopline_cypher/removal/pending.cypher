// Returns: id, kind — documents and collections that are marked for removal; kind: document or collection.
// $limit: maximum number of rows.
MATCH (n:Removed) WHERE n:Document OR n:Collection
RETURN n.id AS id, CASE WHEN n:Collection THEN 'collection' ELSE 'document' END AS kind ORDER BY kind, id LIMIT $limit
