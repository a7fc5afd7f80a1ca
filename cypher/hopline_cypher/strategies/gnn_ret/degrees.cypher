// Returns: nodes, ends — the number of evidence, and the sum of the numbers of their neighbours (`gnn_ret/neighbours`).
// $hub: maximum degree: entities mentioned by more evidence link none.
// $unlinked: entity kinds that link none (dates, amounts, common nouns).
// $collection: id of the collection.
// $documents: ids of the documents to count; empty: all.
// $excluded: ids of documents that are being removed; they are excluded.
MATCH (t:Evidence {collection: $collection})
WHERE NOT t.document IN $excluded AND (size($documents) = 0 OR t.document IN $documents)
CALL (t) {
  CALL (t) {
    MATCH (t)-[:MENTIONS|ABOUT]->(e:Entity)
    WHERE NOT e.kind IN $unlinked AND COUNT { (e)<-[:MENTIONS]-() } <= $hub
    MATCH (e)<-[:MENTIONS|ABOUT]-(n:Evidence) WHERE n <> t
    RETURN n
    UNION
    MATCH (t)-[:NEXT]-(n:Evidence)
    RETURN n
  }
  WITH DISTINCT n WHERE NOT n.document IN $excluded AND (size($documents) = 0 OR n.document IN $documents)
  RETURN count(n) AS degree
}
RETURN count(t) AS nodes, coalesce(sum(degree), 0) AS ends
