// Returns: rows of id, pages, pages_done, passages, extracted, embedded, entities, warned, warning — processing progress of documents; passages includes tables and figures; warning: one warning of its passages.
// $ids: ids of documents.
UNWIND $ids AS id
MATCH (d:Document {id: id})
CALL (d) {
  MATCH (p:Evidence {document: d.id})
  RETURN count(p) AS passages, sum(CASE WHEN p:Unread THEN 0 ELSE 1 END) AS extracted,
    sum(CASE WHEN p:Unembedded THEN 0 ELSE 1 END) AS embedded,
    sum(CASE WHEN p:Warned THEN 1 ELSE 0 END) AS warned,
    max(CASE WHEN coalesce(p.failure, '') <> '' THEN p.failure WHEN p:Warned THEN p.warning ELSE '' END) AS warning
}
RETURN collect([d.id, CASE WHEN d:Waiting THEN coalesce(d.pages_waiting, 0) ELSE coalesce(d.pages, 0) END,
  CASE WHEN d:Waiting THEN coalesce(d.pages_done, 0) ELSE coalesce(d.pages, 0) END,
  passages, extracted, embedded,
  COUNT { MATCH (:Evidence {document: d.id})-[:MENTIONS]->(e:Entity) RETURN DISTINCT e }, warned, coalesce(warning, '')]) AS rows
