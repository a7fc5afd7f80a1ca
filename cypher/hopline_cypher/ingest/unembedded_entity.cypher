// Returns: id, text — entities without a vector of the current embedder.
// $limit: maximum number of rows.
MATCH (n:UnembeddedEntity) WHERE EXISTS { (n)<--() }
RETURN n.id AS id, n.name AS text LIMIT $limit
