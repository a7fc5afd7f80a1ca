// Returns: rows of id, evidence, subject, subject_name, object, object_name — triples within two hops of the given entities; subject and object are null where they are no entities.
// $entities: ids of entities.
// $hub: maximum degree: for entities with more triples, their own triples are returned but not those of their neighbours.
// $limit: maximum number of triples; those of the given entities come first.
// $documents: ids of the documents to search; empty: all.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $entities AS id
MATCH (e:Entity {id: id})
OPTIONAL MATCH (e)<-[:SUBJECT|OBJECT]-(link:Triple)-[:SUBJECT|OBJECT]->(n:Entity)
WHERE n <> e AND NOT link.document IN $excluded AND (size($documents) = 0 OR link.document IN $documents)
  AND COUNT { (e)<-[:SUBJECT|OBJECT]-() } <= $hub AND COUNT { (n)<-[:SUBJECT|OBJECT]-() } <= $hub
WITH collect(DISTINCT e) AS asked, collect(DISTINCT n) AS reached
UNWIND asked + [n IN reached WHERE NOT n IN asked] AS end
MATCH (end)<-[:SUBJECT|OBJECT]-(t:Triple)
WHERE NOT t.document IN $excluded AND (size($documents) = 0 OR t.document IN $documents)
WITH t, min(CASE WHEN end IN asked THEN 0 ELSE 1 END) AS hop ORDER BY hop, t.id LIMIT $limit
OPTIONAL MATCH (t)-[:SUBJECT]->(s:Entity)
OPTIONAL MATCH (t)-[:OBJECT]->(o:Entity)
RETURN collect([t.id, t.evidence, s.id, s.name, o.id, o.name]) AS rows
