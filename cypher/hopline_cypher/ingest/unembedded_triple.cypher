// Returns: id, text — triples without a vector of the embedder in use.
// $limit: rows at most.
MATCH (n:UnembeddedTriple) WHERE EXISTS { (n)<-[:STATES]-() }
RETURN n.id AS id, n.text AS text LIMIT $limit
