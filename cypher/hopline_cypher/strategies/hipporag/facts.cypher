// Returns: rows of id, evidence, subject, subject_name, object, object_name — the triples within two hops of entities.
// $entities: ids of entities.
// $hub: an entity that is an end of more triples than this is not walked through: its own triples are read, those of its neighbours are not.
// $limit: triples at most, those of the entities themselves first.
// $documents: ids of the documents that may be reached; empty: all.
UNWIND $entities AS id
MATCH (e:Entity {id: id})
OPTIONAL MATCH (e)<-[:SUBJECT|OBJECT]-(:Triple)-[:SUBJECT|OBJECT]->(n:Entity)
WHERE n <> e AND COUNT { (e)<-[:SUBJECT|OBJECT]-() } <= $hub AND COUNT { (n)<-[:SUBJECT|OBJECT]-() } <= $hub
WITH collect(DISTINCT e) AS asked, collect(DISTINCT n) AS reached
UNWIND asked + [n IN reached WHERE NOT n IN asked] AS end
MATCH (end)<-[:SUBJECT|OBJECT]-(t:Triple) WHERE size($documents) = 0 OR t.document IN $documents
WITH t, min(CASE WHEN end IN asked THEN 0 ELSE 1 END) AS hop ORDER BY hop, t.id LIMIT $limit
MATCH (t)-[:SUBJECT]->(s:Entity), (t)-[:OBJECT]->(o:Entity)
RETURN collect([t.id, t.evidence, s.id, s.name, o.id, o.name]) AS rows
