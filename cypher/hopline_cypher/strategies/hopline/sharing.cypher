// Returns: rows of entity, name, ids, edges — the evidence that shares the names of the seeds and of the question, and by which edge.
// $seeds: ids of evidence whose names are followed.
// $entities: ids of entities that are followed beside those.
// $hub: an entity that more evidence mentions is left out.
// $unlinked: kinds of entities that join nothing (dates, amounts, plain nouns).
// $embedding: name of the vector property.
// $collection: id of the collection.
// $documents: ids of the documents that may be reached; empty: all.
CALL () {
  UNWIND $seeds AS seed
  MATCH (:Evidence {id: seed, collection: $collection})-[:MENTIONS|ABOUT]->(e:Entity)
  WHERE NOT e.kind IN $unlinked
  RETURN e
  UNION
  UNWIND $entities AS entity
  MATCH (e:Entity {id: entity})
  RETURN e
}
WITH e WHERE COUNT { (e)<-[:MENTIONS]-() } <= $hub
MATCH (e)<-[r:MENTIONS|ABOUT]-(n:Evidence)
WHERE n[$embedding] IS NOT NULL AND (size($documents) = 0 OR n.document IN $documents)
WITH e, collect(n.id) AS ids, collect(type(r)) AS edges
RETURN collect([e.id, e.name, ids, edges]) AS rows
