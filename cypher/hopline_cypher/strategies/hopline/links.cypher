// Returns: rows of seed, entity, name, words, id, sure, score — from what evidence mentions to what is about it: the words around each mention, how sure the second is, and its cosine.
// $seeds: ids of evidence.
// $before: characters of text before a mention.
// $after: characters behind it.
// $limit: evidence about one entity at most, the surest first.
// $vector: the question, of unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $documents: ids of the documents that may be reached; empty: all.
// A mention without a place in the text has no words around it (range(0, -1, 2) would be one place, not none).
UNWIND $seeds AS seed
MATCH (t:Evidence {id: seed, collection: $collection})-[m:MENTIONS]->(e:Entity)
WITH t, e, [i IN range(0, size(m.spans) - 2, 2) |
  substring(t.text, CASE WHEN m.spans[i] > $before THEN m.spans[i] - $before ELSE 0 END,
    CASE WHEN m.spans[i] > $before THEN $before ELSE m.spans[i] END)
  + ' ' + substring(t.text, m.spans[i + 1], $after)] AS words
CALL (t, e) {
  MATCH (e)<-[a:ABOUT]-(n:Evidence)
  WHERE n <> t AND n[$embedding] IS NOT NULL AND (size($documents) = 0 OR n.document IN $documents)
  RETURN n, a.score AS sure ORDER BY sure DESC, n.id LIMIT $limit
}
RETURN collect([t.id, e.id, e.name, words, n.id, sure,
  2 * vector.similarity.cosine(n[$embedding], $vector) - 1]) AS rows
