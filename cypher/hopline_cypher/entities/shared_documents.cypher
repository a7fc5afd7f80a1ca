// Returns: rows of one, other, documents — number of documents that mention both entities of a pair.
// $pairs: rows of one, other: ids of entities.
UNWIND $pairs AS pair
MATCH (a:Entity {id: pair.one}), (b:Entity {id: pair.other})
CALL (a, b) {
  MATCH (a)<-[:MENTIONS]-(p:Evidence) WITH b, collect(DISTINCT p.document) AS documents
  MATCH (b)<-[:MENTIONS]-(q:Evidence) WHERE q.document IN documents
  RETURN count(DISTINCT q.document) AS documents
}
RETURN collect([a.id, b.id, documents]) AS rows
