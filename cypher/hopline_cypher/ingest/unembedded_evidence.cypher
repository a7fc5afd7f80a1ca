// Returns: id, text — evidence without a vector of the embedder in use.
// $limit: rows at most.
MATCH (n:Unembedded)
RETURN n.id AS id, n.search AS text LIMIT $limit
