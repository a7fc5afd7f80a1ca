// Returns: rows of seed, id, edge, entity, name, second_edge — evidence that shares an entity with each seed, or is adjacent to it.
// $seeds: ids of evidence.
// $hub: maximum degree: entities mentioned by more evidence are not followed.
// $unlinked: entity kinds that are not followed (dates, amounts, common nouns).
// $limit: maximum number of neighbours of one seed, by descending similarity to the question.
// $vector: embedding of the question, unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $documents: ids of the documents to search; empty: all.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $seeds AS seed
MATCH (t:Evidence {id: seed, collection: $collection}) WHERE NOT t.document IN $excluded
CALL (t) {
  CALL (t) {
    MATCH (t)-[from:MENTIONS|ABOUT]->(e:Entity)
    WHERE NOT e.kind IN $unlinked AND COUNT { (e)<-[:MENTIONS]-() } <= $hub
    MATCH (e)<-[to:MENTIONS|ABOUT]-(n:Evidence) WHERE n <> t
    RETURN n, [type(from), e.id, e.name, type(to)] AS path
    UNION
    MATCH (t)-[:NEXT]-(n:Evidence)
    RETURN n, ['NEXT', '', '', ''] AS path
  }
  WITH n, min(path) AS path
  WHERE n[$embedding] IS NOT NULL AND NOT n.document IN $excluded AND (size($documents) = 0 OR n.document IN $documents)
  RETURN n, path ORDER BY vector.similarity.cosine(n[$embedding], $vector) DESC, n.id LIMIT $limit
}
RETURN collect([t.id, n.id, path[0], path[1], path[2], path[3]]) AS rows
