// Returns: waiting — how many entities wait for a vector now; what still stands at merged entities leads to what they are now, unless the same leads there already; each edge keeps whose it was.
// $collection: id of the collection.
MATCH (m:Merged {collection: $collection})-[:MERGED_INTO*]->(e:Entity)
CALL (m, e) {
  MATCH (n)-[r:MENTIONS]->(m) WHERE NOT EXISTS { (n)-[:MENTIONS]->(e) }
  CREATE (n)-[now:MENTIONS]->(e) SET now = properties(r), now.was = coalesce(r.was, m.id) DELETE r
}
CALL (m, e) {
  MATCH (n)-[r:ABOUT]->(m) WHERE NOT EXISTS { (n)-[:ABOUT]->(e) }
  CREATE (n)-[now:ABOUT]->(e) SET now = properties(r), now.was = coalesce(r.was, m.id) DELETE r
}
CALL (m, e) {
  MATCH (n)-[r:SUBJECT]->(m)
  CREATE (n)-[now:SUBJECT]->(e) SET now = properties(r), now.was = coalesce(r.was, m.id) DELETE r
}
CALL (m, e) {
  MATCH (n)-[r:OBJECT]->(m)
  CREATE (n)-[now:OBJECT]->(e) SET now = properties(r), now.was = coalesce(r.was, m.id) DELETE r
}
WITH DISTINCT e WHERE e.named AND NOT e.joins AND COUNT { (e)<-[:MENTIONS]-() } > 1
SET e:UnembeddedEntity, e.joins = true
RETURN count(e) AS waiting
