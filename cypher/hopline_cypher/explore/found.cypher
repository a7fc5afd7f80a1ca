// Returns: rows of id, kind, name, about, size — nodes that full text finds, best first: what each is, and how many edges it has.
// $index: name of the full-text index.
// $query: escaped Lucene query with its scope.
// $limit: how many.
CALL db.index.fulltext.queryNodes($index, $query, {limit: $limit}) YIELD node, score
OPTIONAL MATCH (d:Document {id: node.document})
WITH node, score, d.name AS document ORDER BY score DESC, node.id
RETURN collect([node.id, labels(node), coalesce(node.name, node.caption, node.text, ''), coalesce(document, node.kind, ''),
  COUNT { (node)--() }]) AS rows
