// Returns: rows of entity, id, sure, score — evidence that is about these entities, how sure that is, and its cosine.
// $entities: ids of entities.
// $limit: evidence of one entity at most, the surest first.
// $vector: the question, of unit length.
// $embedding: name of the vector property.
// $documents: ids of the documents that may be reached; empty: all.
UNWIND $entities AS entity
MATCH (e:Entity {id: entity})
CALL (e) {
  MATCH (e)<-[a:ABOUT]-(n:Evidence)
  WHERE n[$embedding] IS NOT NULL AND (size($documents) = 0 OR n.document IN $documents)
  RETURN n, a.score AS sure ORDER BY sure DESC, n.id LIMIT $limit
}
RETURN collect([e.id, n.id, sure, 2 * vector.similarity.cosine(n[$embedding], $vector) - 1]) AS rows
