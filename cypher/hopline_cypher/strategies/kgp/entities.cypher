// Returns: rows of seed, id, edge, entity, name, onward — evidence that shares a name with each seed, or stands beside it.
// $seeds: ids of evidence.
// $hub: an entity that more evidence mentions joins nothing.
// $unlinked: kinds of entities that join nothing (dates, amounts, plain nouns).
// $limit: neighbours of one seed, the nearest to the question first.
// $vector: the question, of unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $documents: ids of the documents that may be reached; empty: all.
UNWIND $seeds AS seed
MATCH (t:Evidence {id: seed, collection: $collection})
CALL (t) {
  CALL (t) {
    MATCH (t)-[from:MENTIONS|ABOUT]->(e:Entity)
    WHERE NOT e.kind IN $unlinked AND COUNT { (e)<-[:MENTIONS]-() } <= $hub
    MATCH (e)<-[to:MENTIONS|ABOUT]-(n:Evidence) WHERE n <> t
    RETURN n, [type(from), e.id, e.name, type(to)] AS way
    UNION
    MATCH (t)-[:NEXT]-(n:Evidence)
    RETURN n, ['NEXT', '', '', ''] AS way
  }
  WITH n, min(way) AS way
  WHERE n[$embedding] IS NOT NULL AND (size($documents) = 0 OR n.document IN $documents)
  RETURN n, way ORDER BY vector.similarity.cosine(n[$embedding], $vector) DESC, n.id LIMIT $limit
}
RETURN collect([t.id, n.id, way[0], way[1], way[2], way[3]]) AS rows
