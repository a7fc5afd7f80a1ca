// Returns: rows of id, score — full-text matches with BM25 scores, by descending score; the scope is part of the query.
// $index: name of the full-text index.
// $query: escaped Lucene query, including its scope.
// $k: maximum number of rows.
CALL db.index.fulltext.queryNodes($index, $query, {limit: $k}) YIELD node, score
WITH node.id AS id, score ORDER BY score DESC, id
RETURN collect([id, score]) AS rows
