// Returns: id, text — evidence without a vector of the current embedder.
// $limit: maximum number of rows.
MATCH (n:Unembedded)
MATCH (d:Document {id: n.document}) WHERE NOT d:Removed
RETURN n.id AS id, n.search AS text LIMIT $limit
