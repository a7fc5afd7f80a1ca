// Returns: rows of id, kind, name, about, size — full-text matches, by descending score, with their kind and number of edges.
// $index: name of the full-text index.
// $query: escaped Lucene query, including its scope.
// $limit: maximum number of rows.
CALL db.index.fulltext.queryNodes($index, $query, {limit: $limit}) YIELD node, score
OPTIONAL MATCH (d:Document {id: node.document})
WITH node, score, d.name AS document ORDER BY score DESC, node.id
RETURN collect([node.id, labels(node), coalesce(node.name, node.caption, node.text, ''), coalesce(document, node.kind, ''),
  COUNT { (node)--() }]) AS rows
