// Returns: id, text — entities without a vector of the embedder in use.
// $limit: rows at most.
MATCH (n:UnembeddedEntity) WHERE EXISTS { (n)<--() }
RETURN n.id AS id, n.name AS text LIMIT $limit
