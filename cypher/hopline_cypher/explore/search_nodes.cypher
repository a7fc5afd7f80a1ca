// Returns: rows of id, kind, name, about, size — full-text matches, by descending score, with their kind and number of edges.
// $index: name of the full-text index.
// $query: escaped Lucene query, including its scope.
// $excluded: ids of documents that are being removed; they are excluded, and entities that only they mention.
// $limit: maximum number of rows.
// With excluded documents, more candidates are read than rows are returned.
CALL db.index.fulltext.queryNodes($index, $query, {limit: CASE WHEN size($excluded) = 0 THEN $limit ELSE 10000 END}) YIELD node, score
WHERE NOT coalesce(node.document, '') IN $excluded AND (size($excluded) = 0 OR NOT node:Entity
  OR EXISTS { MATCH (node)<-[:MENTIONS|ABOUT|SUBJECT|OBJECT]-(n) WHERE NOT n.document IN $excluded })
WITH node, score ORDER BY score DESC, node.id LIMIT $limit
OPTIONAL MATCH (d:Document {id: node.document})
WITH node, score, d.name AS document ORDER BY score DESC, node.id
RETURN collect([node.id, labels(node), coalesce(node.name, node.caption, node.text, ''), coalesce(document, node.kind, ''),
  COUNT { (node)--() }]) AS rows
