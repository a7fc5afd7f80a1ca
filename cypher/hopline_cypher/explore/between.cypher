// Returns: rows of nodes, edges — the shortest ways between two nodes, whichever way the edges point, each row of nodes once: [id, kinds, name] of each node, and the edges between them.
// $source: id of the one node.
// $target: id of the other.
// $limit: how many ways, of equal length.
// $unlinked: kinds of entities that no way goes over (dates, amounts, plain nouns).
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
MATCH way = allShortestPaths((a)-[:MENTIONS|ABOUT|STATES|SUBJECT|OBJECT|NEXT|SIMILAR|HAS_PAGE|HAS_PASSAGE|HAS_TABLE*..8]-(b))
WHERE none(n IN nodes(way) WHERE n:Merged) AND all(n IN nodes(way) WHERE n.kind IS NULL OR n = a OR n = b OR NOT n.kind IN $unlinked)
WITH way, [n IN nodes(way) | n.id] AS ids, [r IN relationships(way) | type(r)] AS edges ORDER BY ids, edges
WITH ids, collect(way)[0] AS way, collect(edges)[0] AS edges ORDER BY ids LIMIT $limit
RETURN collect([[n IN nodes(way) | [n.id, labels(n), coalesce(n.name, n.caption, n.predicate, n.text, toString(n.number), '')]], edges]) AS rows
