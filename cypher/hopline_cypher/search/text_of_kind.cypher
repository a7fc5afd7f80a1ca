// Returns: ids, scores, found — what full text finds of one kind, by BM25, best first, as one row; and how many of any kind the index gave.
// $index: name of the full-text index.
// $query: escaped Lucene query with its scope.
// $label: kind of node wanted.
// $k: how many at most.
// $width: how many the index gives.
CALL db.index.fulltext.queryNodes($index, $query, {limit: $width}) YIELD node, score
WITH node, score ORDER BY score DESC, node.id
WITH count(*) AS found, collect(CASE WHEN $label IN labels(node) THEN [node.id, score] END)[0..$k] AS best
RETURN [one IN best | one[0]] AS ids, [one IN best | one[1]] AS scores, found
