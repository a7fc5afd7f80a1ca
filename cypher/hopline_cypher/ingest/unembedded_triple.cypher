// Returns: id, text — triples without a vector of the current embedder.
// $limit: maximum number of rows.
MATCH (n:UnembeddedTriple) WHERE EXISTS { (n)<-[:STATES]-() }
RETURN n.id AS id, n.text AS text LIMIT $limit
