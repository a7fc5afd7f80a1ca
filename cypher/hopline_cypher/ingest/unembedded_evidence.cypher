// Returns: id, text, corrected_at — evidence without a vector of the current embedder, with its searched text without folded words, and when it was corrected (null: it was not).
// $limit: maximum number of rows.
MATCH (n:Unembedded)
MATCH (d:Document {id: n.document}) WHERE NOT d:Removed
RETURN n.id AS id, split(n.search, '\u001f')[0] AS text, n.corrected_at AS corrected_at LIMIT $limit
