// Returns: rows of entity, name, ids, edges — entities of the seeds and of the question, with the evidence that is linked to each and the type of the edge.
// $seeds: ids of the seed evidence, whose entities are followed.
// $entities: ids of further entities to follow.
// $hub: maximum degree: entities mentioned by more evidence are not followed.
// $unlinked: entity kinds that are not followed (dates, amounts, common nouns).
// $embedding: name of the vector property.
// $collection: id of the collection.
// $documents: ids of the documents to search; empty: all.
// $excluded: ids of documents that are being removed; they are excluded.
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
WHERE n[$embedding] IS NOT NULL AND NOT n.document IN $excluded AND (size($documents) = 0 OR n.document IN $documents)
WITH e, collect(n.id) AS ids, collect(type(r)) AS edges
RETURN collect([e.id, e.name, ids, edges]) AS rows
