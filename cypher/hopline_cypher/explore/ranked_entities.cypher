// Returns: rows of id, name, kind, passages, documents — entities by descending number of evidence that mentions them, and the number of its documents.
// $kinds: kinds of entities; empty: all.
// $unlinked: kinds of entities that are left out.
// $candidates: maximum number of entities of a whole collection whose documents are counted.
// $limit: maximum number of rows.
// $collection: id of the collection.
// $documents: ids of the documents in which mentions are counted; empty: all.
// $excluded: ids of documents that are being removed; they are excluded.
CALL () {
  MATCH (e:Entity {collection: $collection}) WHERE size($documents) = 0 AND (size($kinds) = 0 OR e.kind IN $kinds)
    AND NOT e.kind IN $unlinked
  WITH e, COUNT { (e)<-[:MENTIONS]-() } AS mentioned ORDER BY mentioned DESC, e.id LIMIT $candidates
  RETURN e
  UNION
  UNWIND $documents AS document
  MATCH (:Evidence {document: document, collection: $collection})-[:MENTIONS]->(e:Entity)
  WHERE (size($kinds) = 0 OR e.kind IN $kinds) AND NOT e.kind IN $unlinked
  RETURN DISTINCT e
}
CALL (e) {
  MATCH (e)<-[:MENTIONS]-(n:Evidence)
  WHERE NOT n.document IN $excluded AND (size($documents) = 0 OR n.document IN $documents)
  RETURN count(n) AS passages, count(DISTINCT n.document) AS documents
}
WITH e, passages, documents WHERE passages > 0
ORDER BY passages DESC, documents DESC, e.name, e.id LIMIT $limit
RETURN collect([e.id, e.name, e.kind, passages, documents]) AS rows
