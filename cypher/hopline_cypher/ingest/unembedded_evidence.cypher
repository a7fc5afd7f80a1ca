// Returns: id, text — evidence without a vector of the embedder in use.
// $limit: rows at most.
MATCH (n:Unembedded)
MATCH (d:Document {id: n.document}) WHERE NOT d:Removed
RETURN n.id AS id, n.search AS text LIMIT $limit
