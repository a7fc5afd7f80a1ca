// Returns: rows of id, question, verdict, answer, better, gold, names, pages, quotes, documents, filter, author, at — the feedback of a collection, newest first; gold: ids of the cited evidence, empty if it is no longer there; names, pages, quotes: of each; at: milliseconds since 1970.
// $collection: id of the collection.
MATCH (f:Feedback {collection: $collection})
CALL (f) {
  UNWIND range(0, size(f.gold) - 1) AS n
  OPTIONAL MATCH (e:Evidence {id: f.gold[n]})
  OPTIONAL MATCH (d:Document {id: e.document})
  WITH n, e, d ORDER BY n
  RETURN collect(CASE WHEN d IS NULL OR d:Removed THEN '' ELSE e.id END) AS gold
}
WITH f, gold ORDER BY f.at DESC, f.id
RETURN collect([f.id, f.question, f.verdict, f.answer, f.better, gold, f.names, f.pages, f.quotes, f.documents, f.filter, f.author, f.at]) AS rows
