// Returns: rows of id, score — what full text finds, by BM25, best first; the scope is part of the query.
// $index: name of the full-text index.
// $query: escaped Lucene query with its scope.
// $k: how many rows at most.
CALL db.index.fulltext.queryNodes($index, $query, {limit: $k}) YIELD node, score
WITH node.id AS id, score ORDER BY score DESC, id
RETURN collect([id, score]) AS rows
