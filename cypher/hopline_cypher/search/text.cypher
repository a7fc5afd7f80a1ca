// Returns: ids, scores, found — full-text matches with BM25 scores, by descending score, as one row; found: number of candidates with a word of the query that the index returned.
// $index: name of the full-text index.
// $query: escaped Lucene query, including its scope.
// $label: label that nodes must have; empty: any label of the index.
// $documents: ids of the documents to search, where the query does not name them; empty: all.
// $excluded: ids of documents that are being removed; they are excluded.
// $k: maximum number of results.
// $width: number of candidates that the index returns.
// If all words are stop words, only the scope is left of the query: its matches have the score 0.
CALL db.index.fulltext.queryNodes($index, $query, {limit: $width}) YIELD node, score WHERE score > 0
WITH node, score ORDER BY score DESC, node.id
WITH count(*) AS found, collect(CASE
  WHEN ($label = '' OR $label IN labels(node)) AND NOT coalesce(node.document, '') IN $excluded
    AND (size($documents) = 0 OR node.document IN $documents) THEN [node.id, score]
END)[0..$k] AS best
RETURN [match IN best | match[0]] AS ids, [match IN best | match[1]] AS scores, found
