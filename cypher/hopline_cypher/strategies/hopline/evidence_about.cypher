// Returns: rows of entity, id, confidence, score — evidence about the given entities, the confidence of the ABOUT edge, and its cosine to the question.
// $entities: ids of entities.
// $limit: maximum number of evidence of one entity, by descending confidence.
// $vector: embedding of the question, unit length.
// $embedding: name of the vector property.
// $documents: ids of the documents to search; empty: all.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $entities AS entity
MATCH (e:Entity {id: entity})
CALL (e) {
  MATCH (e)<-[a:ABOUT]-(n:Evidence)
  WHERE n[$embedding] IS NOT NULL AND NOT n.document IN $excluded AND (size($documents) = 0 OR n.document IN $documents)
  RETURN n, a.score AS confidence ORDER BY confidence DESC, n.id LIMIT $limit
}
RETURN collect([e.id, n.id, confidence, 2 * vector.similarity.cosine(n[$embedding], $vector) - 1]) AS rows
