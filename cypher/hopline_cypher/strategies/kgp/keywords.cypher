// Returns: rows of seed, id, edge, entity, name, second_edge — evidence that shares one of the best keywords of each seed, ranked by count × log(evidence / evidence that mentions it).
// $seeds: ids of evidence.
// $keywords: number of keywords of one seed.
// $hub: maximum degree: keywords mentioned by more evidence are not followed.
// $limit: maximum number of neighbours of one seed, by descending similarity to the question.
// $vector: embedding of the question, unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $documents: ids of the documents to search; empty: all.
// $excluded: ids of documents that are being removed; they are excluded.
CALL () {
  MATCH (c:Evidence {collection: $collection})
  RETURN toFloat(count(c)) AS total
}
UNWIND $seeds AS seed
MATCH (t:Evidence {id: seed, collection: $collection}) WHERE NOT t.document IN $excluded
CALL (t, total) {
  MATCH (t)-[m:MENTIONS]->(e:Entity)
  WITH e, m.count AS times, COUNT { (e)<-[:MENTIONS]-() } AS spread WHERE spread > 1 AND spread <= $hub
  WITH e ORDER BY times * log(total / spread) DESC, e.id LIMIT $keywords
  MATCH (e)<-[:MENTIONS]-(n:Evidence) WHERE n[$embedding] IS NOT NULL
    AND NOT n.document IN $excluded AND (size($documents) = 0 OR n.document IN $documents)
  WITH t, n, min([e.id, e.name]) AS via WHERE n <> t
  RETURN n, via ORDER BY vector.similarity.cosine(n[$embedding], $vector) DESC, n.id LIMIT $limit
}
RETURN collect([t.id, n.id, 'MENTIONS', via[0], via[1], 'MENTIONS']) AS rows
