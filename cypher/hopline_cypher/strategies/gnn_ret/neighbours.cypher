// Returns: rows of id, score, links — neighbours of the seeds with their cosine, and how each is reached: [seed, edge, entity, its name, edge from there].
// $seeds: ids of the nearest evidence.
// $hub: an entity that more evidence mentions than this joins nothing.
// $unlinked: kinds of entities that join nothing (dates, amounts, plain nouns).
// $vector: the question, of unit length.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $documents: ids of the documents that may be reached; empty: all.
UNWIND $seeds AS seed
MATCH (t:Evidence {id: seed, collection: $collection})
CALL (t) {
  MATCH (t)-[from:MENTIONS|ABOUT]->(e:Entity)
  WHERE NOT e.kind IN $unlinked AND COUNT { (e)<-[:MENTIONS]-() } <= $hub
  MATCH (e)<-[to:MENTIONS|ABOUT]-(n:Evidence) WHERE n <> t
  RETURN n, type(from) AS edge, e.id AS via, e.name AS name, type(to) AS onward
  UNION
  MATCH (t)-[:NEXT]-(n:Evidence)
  RETURN n, 'NEXT' AS edge, '' AS via, '' AS name, '' AS onward
}
WITH n, collect([t.id, edge, via, name, onward]) AS links
WHERE n[$embedding] IS NOT NULL AND (size($documents) = 0 OR n.document IN $documents)
RETURN collect([n.id, 2 * vector.similarity.cosine(n[$embedding], $vector) - 1, links]) AS rows
