// Returns: waiting — undoes a merge: the entity gets its own edges back; waiting: whether it waits for a vector; no row if it is not merged.
// $id: id of the entity.
// $embedding: name of the vector property.
MATCH (m:Merged {id: $id})-[into:MERGED_INTO]->()
MATCH (below:Merged) WHERE below = m OR EXISTS { (below)-[:MERGED_INTO*]->(m) }
WITH m, into, collect(below.id) AS own
MATCH (m)-[:MERGED_INTO*]->(above)
CALL (m, own, above) {
  MATCH (n)-[r:MENTIONS]->(above) WHERE r.was IN own
  CREATE (n)-[new:MENTIONS]->(m) SET new = properties(r), new.was = nullif(r.was, m.id) DELETE r
}
CALL (m, own, above) {
  MATCH (n)-[r:ABOUT]->(above) WHERE r.was IN own
  CREATE (n)-[new:ABOUT]->(m) SET new = properties(r), new.was = nullif(r.was, m.id) DELETE r
}
CALL (m, own, above) {
  MATCH (n)-[r:SUBJECT]->(above) WHERE r.was IN own
  CREATE (n)-[new:SUBJECT]->(m) SET new = properties(r), new.was = nullif(r.was, m.id) DELETE r
}
CALL (m, own, above) {
  MATCH (n)-[r:OBJECT]->(above) WHERE r.was IN own
  CREATE (n)-[new:OBJECT]->(m) SET new = properties(r), new.was = nullif(r.was, m.id) DELETE r
}
WITH DISTINCT m, into
DELETE into
SET m:Entity:Unsettled
REMOVE m:Merged
WITH m, m.joins AND m[$embedding] IS NULL AS waiting
FOREACH (_ IN CASE WHEN waiting THEN [1] ELSE [] END | SET m:UnembeddedEntity)
RETURN waiting
