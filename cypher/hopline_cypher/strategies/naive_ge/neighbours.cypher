// Returns: rows of beam, id, evidence, text, entity, name, from_role, to_role, to_question, to_beam — triples that share an entity with the last triple of each beam, by descending similarity to the question.
// $beams: for each beam its number, the id of its last triple, and the sum of its vectors.
// $limit: maximum number of neighbours of one beam.
// $hub: maximum degree: entities that are subject or object of more triples are not followed.
// $vector: embedding of the question, unit length.
// $embedding: name of the vector property.
// $documents: ids of the documents to search; empty: all.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $beams AS beam
MATCH (t:Triple {id: beam.last})
CALL (t, beam) {
  MATCH (t)-[from:SUBJECT|OBJECT]->(e:Entity)
  WHERE COUNT { (e)<-[:SUBJECT]-() } + COUNT { (e)<-[:OBJECT]-() } <= $hub
  MATCH (e)<-[to:SUBJECT|OBJECT]-(n:Triple) WHERE n <> t AND n[$embedding] IS NOT NULL
    AND NOT n.document IN $excluded AND (size($documents) = 0 OR n.document IN $documents)
  WITH n, min([type(from), type(to), e.id, e.name]) AS path
  WITH n, path, 2 * vector.similarity.cosine(n[$embedding], $vector) - 1 AS to_question
  ORDER BY to_question DESC, n.id LIMIT $limit
  RETURN n, path, to_question, 2 * vector.similarity.cosine(n[$embedding], beam.sum) - 1 AS to_beam
}
RETURN collect([beam.number, n.id, n.evidence, n.text, path[2], path[3], path[0], path[1], to_question, to_beam]) AS rows
