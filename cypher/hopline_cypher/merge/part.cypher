// Returns: waiting — whether it waits for a vector; a merged entity is one of its own again, with what was its own; no row where it is not merged.
// $id: id of the entity.
// $embedding: name of the vector property.
MATCH (m:Merged {id: $id})-[into:MERGED_INTO]->()
MATCH (below:Merged) WHERE below = m OR EXISTS { (below)-[:MERGED_INTO*]->(m) }
WITH m, into, collect(below.id) AS own
MATCH (m)-[:MERGED_INTO*]->(above)
CALL (m, own, above) {
  MATCH (n)-[r:MENTIONS]->(above) WHERE r.was IN own
  CREATE (n)-[now:MENTIONS]->(m) SET now = properties(r), now.was = nullif(r.was, m.id) DELETE r
}
CALL (m, own, above) {
  MATCH (n)-[r:ABOUT]->(above) WHERE r.was IN own
  CREATE (n)-[now:ABOUT]->(m) SET now = properties(r), now.was = nullif(r.was, m.id) DELETE r
}
CALL (m, own, above) {
  MATCH (n)-[r:SUBJECT]->(above) WHERE r.was IN own
  CREATE (n)-[now:SUBJECT]->(m) SET now = properties(r), now.was = nullif(r.was, m.id) DELETE r
}
CALL (m, own, above) {
  MATCH (n)-[r:OBJECT]->(above) WHERE r.was IN own
  CREATE (n)-[now:OBJECT]->(m) SET now = properties(r), now.was = nullif(r.was, m.id) DELETE r
}
WITH DISTINCT m, into
DELETE into
SET m:Entity:Unsettled
REMOVE m:Merged
WITH m, m.joins AND m[$embedding] IS NULL AS waiting
FOREACH (_ IN CASE WHEN waiting THEN [1] ELSE [] END | SET m:UnembeddedEntity)
RETURN waiting
