// Returns: matches, candidates — matches: lists of id, labels, name, document or kind of entity, number of edges of full-text matches, by descending score; candidates: number of nodes that the index returned.
// $index: name of the full-text index.
// $query: escaped Lucene query, including its scope.
// $label: label that nodes must have.
// $excluded: ids of documents that are being removed; they are excluded, and entities that only they mention.
// $limit: maximum number of matches.
// $width: number of candidates that the index returns.
CALL db.index.fulltext.queryNodes($index, $query, {limit: $width}) YIELD node, score
WITH node, score, $label IN labels(node) AND NOT coalesce(node.document, '') IN $excluded AND (size($excluded) = 0 OR NOT node:Entity
  OR EXISTS { MATCH (node)<-[:MENTIONS|ABOUT|SUBJECT|OBJECT]-(n) WHERE NOT n.document IN $excluded }) AS matches
ORDER BY score DESC, node.id
WITH count(*) AS candidates, collect(CASE WHEN matches THEN node END)[..$limit] AS nodes
CALL (nodes) {
  UNWIND nodes AS node
  OPTIONAL MATCH (d:Document {id: node.document})
  RETURN collect([node.id, labels(node), coalesce(node.name, node.caption, node.text, ''), coalesce(d.name, node.kind, ''),
    COUNT { (node)--() }]) AS matches
}
RETURN matches, candidates
