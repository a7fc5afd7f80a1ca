// Returns: rows of seed, id, edge, entity, name, onward — evidence that shares one of the best keywords of each seed, by count × log(evidence / evidence that mentions it).
// $seeds: ids of evidence.
// $keywords: keywords of one seed.
// $hub: a keyword that more evidence mentions joins nothing.
// $limit: neighbours of one seed, the nearest to the question first.
// $vector: the question, of unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $documents: ids of the documents that may be reached; empty: all.
CALL () {
  MATCH (c:Evidence {collection: $collection})
  RETURN toFloat(count(c)) AS total
}
UNWIND $seeds AS seed
MATCH (t:Evidence {id: seed, collection: $collection})
CALL (t, total) {
  MATCH (t)-[m:MENTIONS]->(e:Entity)
  WITH e, m.count AS times, COUNT { (e)<-[:MENTIONS]-() } AS spread WHERE spread > 1 AND spread <= $hub
  WITH e ORDER BY times * log(total / spread) DESC, e.id LIMIT $keywords
  MATCH (e)<-[:MENTIONS]-(n:Evidence) WHERE n[$embedding] IS NOT NULL
    AND (size($documents) = 0 OR n.document IN $documents)
  WITH t, n, min([e.id, e.name]) AS via WHERE n <> t
  RETURN n, via ORDER BY vector.similarity.cosine(n[$embedding], $vector) DESC, n.id LIMIT $limit
}
RETURN collect([t.id, n.id, 'MENTIONS', via[0], via[1], 'MENTIONS']) AS rows
