// Returns: id, kind — documents and collections that wait to be removed; kind: document or collection.
// $limit: rows at most.
MATCH (n:Removed) WHERE n:Document OR n:Collection
RETURN n.id AS id, CASE WHEN n:Collection THEN 'collection' ELSE 'document' END AS kind ORDER BY kind, id LIMIT $limit
