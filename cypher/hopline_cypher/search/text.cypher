// Returns: rows of id, score — what full text finds, by BM25, best first; the scope is part of the query.
// $index: name of the full-text index.
// $query: escaped Lucene query with its scope.
// $label: kind of node wanted; empty: any of the index.
// $k: how many rows at most.
// $width: how many the index gives; more than k where a kind is left out.
CALL db.index.fulltext.queryNodes($index, $query, {limit: $width}) YIELD node, score
WHERE $label = '' OR $label IN labels(node)
WITH node.id AS id, score ORDER BY score DESC, id LIMIT $k
RETURN collect([id, score]) AS rows
