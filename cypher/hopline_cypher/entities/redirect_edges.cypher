// Returns: waiting — number of entities that wait for a vector now. Edges of merged entities are moved to their merge target unless the target has such an edge already; each edge stores which entity it belonged to.
// $collection: id of the collection.
MATCH (m:Merged {collection: $collection})-[:MERGED_INTO*]->(e:Entity)
CALL (m, e) {
  MATCH (n)-[r:MENTIONS]->(m) WHERE NOT EXISTS { (n)-[:MENTIONS]->(e) }
  CREATE (n)-[new:MENTIONS]->(e) SET new = properties(r), new.was = coalesce(r.was, m.id) DELETE r
}
CALL (m, e) {
  MATCH (n)-[r:ABOUT]->(m) WHERE NOT EXISTS { (n)-[:ABOUT]->(e) }
  CREATE (n)-[new:ABOUT]->(e) SET new = properties(r), new.was = coalesce(r.was, m.id) DELETE r
}
CALL (m, e) {
  MATCH (n)-[r:SUBJECT]->(m)
  CREATE (n)-[new:SUBJECT]->(e) SET new = properties(r), new.was = coalesce(r.was, m.id) DELETE r
}
CALL (m, e) {
  MATCH (n)-[r:OBJECT]->(m)
  CREATE (n)-[new:OBJECT]->(e) SET new = properties(r), new.was = coalesce(r.was, m.id) DELETE r
}
WITH DISTINCT e WHERE e.named AND NOT e.joins AND COUNT { (e)<-[:MENTIONS]-() } > 1
SET e:UnembeddedEntity, e.joins = true
RETURN count(e) AS waiting
