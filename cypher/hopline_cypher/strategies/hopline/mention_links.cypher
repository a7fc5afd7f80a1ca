// Returns: rows of seed, entity, name, words, id, confidence, score — links from mentions in the seeds to evidence about the mentioned entity: the text around each mention, the confidence of the ABOUT edge, and the cosine to the question.
// $seeds: ids of evidence.
// $before: number of characters before a mention.
// $after: number of characters after a mention.
// $limit: maximum number of evidence of one entity, by descending confidence.
// $vector: embedding of the question, unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $documents: ids of the documents to search; empty: all.
// $excluded: ids of documents that are being removed; they are excluded.
// A mention without character spans has no text around it; range(0, -1, 2) would yield one element, so the upper bound is size - 2.
UNWIND $seeds AS seed
MATCH (t:Evidence {id: seed, collection: $collection})-[m:MENTIONS]->(e:Entity)
WHERE NOT t.document IN $excluded
WITH t, e, [i IN range(0, size(m.spans) - 2, 2) |
  substring(t.text, CASE WHEN m.spans[i] > $before THEN m.spans[i] - $before ELSE 0 END,
    CASE WHEN m.spans[i] > $before THEN $before ELSE m.spans[i] END)
  + ' ' + substring(t.text, m.spans[i + 1], $after)] AS words
CALL (t, e) {
  MATCH (e)<-[a:ABOUT]-(n:Evidence)
  WHERE n <> t AND n[$embedding] IS NOT NULL AND NOT n.document IN $excluded AND (size($documents) = 0 OR n.document IN $documents)
  RETURN n, a.score AS confidence ORDER BY confidence DESC, n.id LIMIT $limit
}
RETURN collect([t.id, e.id, e.name, words, n.id, confidence,
  2 * vector.similarity.cosine(n[$embedding], $vector) - 1]) AS rows
