// Returns: rows of id, score, links — evidence that shares an entity with the seeds or is adjacent to them, its cosine to the question, and its links to the seeds: [seed, edge, entity, name of the entity, edge from the entity].
// $seeds: ids of the seed evidence.
// $by_entity: whether evidence that shares an entity with a seed is a neighbour.
// $by_position: whether evidence that is adjacent to a seed is a neighbour.
// $hub: maximum degree: entities mentioned by more evidence are not followed.
// $unlinked: entity kinds that are not followed (dates, amounts, common nouns).
// $vector: embedding of the question, unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $documents: ids of the documents to search; empty: all.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $seeds AS seed
MATCH (t:Evidence {id: seed, collection: $collection}) WHERE NOT t.document IN $excluded
CALL (t) {
  MATCH (t)-[from:MENTIONS|ABOUT]->(e:Entity)
  WHERE $by_entity AND NOT e.kind IN $unlinked AND COUNT { (e)<-[:MENTIONS]-() } <= $hub
  MATCH (e)<-[to:MENTIONS|ABOUT]-(n:Evidence) WHERE n <> t
  RETURN n, type(from) AS edge, e.id AS via, e.name AS name, type(to) AS second_edge
  UNION
  MATCH (t)-[:NEXT]-(n:Evidence) WHERE $by_position
  RETURN n, 'NEXT' AS edge, '' AS via, '' AS name, '' AS second_edge
}
WITH n, collect([t.id, edge, via, name, second_edge]) AS links
WHERE n[$embedding] IS NOT NULL AND NOT n.document IN $excluded AND (size($documents) = 0 OR n.document IN $documents)
RETURN collect([n.id, 2 * vector.similarity.cosine(n[$embedding], $vector) - 1, links]) AS rows
