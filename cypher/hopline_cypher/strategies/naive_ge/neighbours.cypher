// Returns: rows of beam, id, evidence, text, entity, name, from_role, to_role, to_question, to_beam — triples that share an end with the last of each beam, the nearest to the question.
// $beams: for each beam its number, the id of its last triple, and the sum of its vectors.
// $limit: neighbours a beam.
// $hub: an entity that is an end of more triples than this is not followed.
// $vector: the question, of unit length.
// $embedding: name of the vector property.
// $documents: ids of the documents that may be reached; empty: all.
UNWIND $beams AS beam
MATCH (t:Triple {id: beam.last})
CALL (t, beam) {
  MATCH (t)-[from:SUBJECT|OBJECT]->(e:Entity)
  WHERE COUNT { (e)<-[:SUBJECT]-() } + COUNT { (e)<-[:OBJECT]-() } <= $hub
  MATCH (e)<-[to:SUBJECT|OBJECT]-(n:Triple) WHERE n <> t AND n[$embedding] IS NOT NULL
    AND (size($documents) = 0 OR n.document IN $documents)
  WITH n, min([type(from), type(to), e.id, e.name]) AS way
  WITH n, way, 2 * vector.similarity.cosine(n[$embedding], $vector) - 1 AS to_question
  ORDER BY to_question DESC, n.id LIMIT $limit
  RETURN n, way, to_question, 2 * vector.similarity.cosine(n[$embedding], beam.sum) - 1 AS to_beam
}
RETURN collect([beam.number, n.id, n.evidence, n.text, way[2], way[3], way[0], way[1], to_question, to_beam]) AS rows
