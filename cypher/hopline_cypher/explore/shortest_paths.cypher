// Returns: rows of nodes, edges — shortest undirected paths between two nodes, each sequence of nodes once: [id, labels, name] of each node, and the edge types between them.
// $source: id of the first node.
// $target: id of the second node.
// $limit: maximum number of paths, all of equal length.
// $unlinked: entity kinds that paths do not pass through (dates, amounts, common nouns).
// $excluded: ids of documents that are being removed; they are excluded.
CALL () {
  MATCH (a:Evidence {id: $source}) RETURN a UNION MATCH (a:Entity {id: $source}) RETURN a UNION
  MATCH (a:Triple {id: $source}) RETURN a UNION MATCH (a:Page {id: $source}) RETURN a UNION
  MATCH (a:Document {id: $source}) RETURN a
}
CALL () {
  MATCH (b:Evidence {id: $target}) RETURN b UNION MATCH (b:Entity {id: $target}) RETURN b UNION
  MATCH (b:Triple {id: $target}) RETURN b UNION MATCH (b:Page {id: $target}) RETURN b UNION
  MATCH (b:Document {id: $target}) RETURN b
}
MATCH path = allShortestPaths((a)-[:MENTIONS|ABOUT|STATES|SUBJECT|OBJECT|NEXT|SIMILAR|HAS_PAGE|HAS_PASSAGE|HAS_TABLE|HAS_FIGURE*..8]-(b))
WHERE none(n IN nodes(path) WHERE n:Merged OR coalesce(n.document, n.id) IN $excluded) AND all(n IN nodes(path) WHERE n.kind IS NULL OR n = a OR n = b OR NOT n.kind IN $unlinked)
WITH path, [n IN nodes(path) | n.id] AS ids, [r IN relationships(path) | type(r)] AS edges ORDER BY ids, edges
WITH ids, collect(path)[0] AS path, collect(edges)[0] AS edges ORDER BY ids LIMIT $limit
RETURN collect([[n IN nodes(path) | [n.id, labels(n), coalesce(n.name, n.caption, n.predicate, n.text, toString(n.number), '')]], edges]) AS rows
