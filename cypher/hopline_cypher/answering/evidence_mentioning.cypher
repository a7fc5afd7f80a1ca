// Returns: rows of id, entity, name, text — evidence that mentions the given entities.
// $entities: ids of entities.
// $hub: maximum degree: entities mentioned by more evidence are not followed.
// $documents: ids of the documents to search; empty: all.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $entities AS entity
MATCH (e:Entity {id: entity}) WHERE COUNT { (e)<-[:MENTIONS]-() } <= $hub
MATCH (e)<-[:MENTIONS]-(p:Evidence)
WHERE NOT p.document IN $excluded AND (size($documents) = 0 OR p.document IN $documents)
WITH p, e ORDER BY p.id, e.id
RETURN collect([p.id, e.id, e.name, p.text]) AS rows
