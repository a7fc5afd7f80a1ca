// Returns: nothing — a document is gone, and its pages, passages, tables, triples, and entities that nothing else mentions.
// $id: id of the document.
MATCH (d:Document {id: $id})
OPTIONAL MATCH (p:Evidence {document: $id})
OPTIONAL MATCH (p)-[:STATES]->(t:Triple)
OPTIONAL MATCH (p)-[:MENTIONS|ABOUT]->(e:Entity)
OPTIONAL MATCH (t)-[:SUBJECT|OBJECT]->(end:Entity)
WITH d, collect(DISTINCT p) AS gone, collect(DISTINCT t) AS triples,
  collect(DISTINCT e) + collect(DISTINCT end) AS entities
OPTIONAL MATCH (d)-[:HAS_PAGE]->(g:Page)
WITH d, gone, triples, entities, collect(g) AS pages
FOREACH (n IN gone | DETACH DELETE n)
FOREACH (n IN triples | DETACH DELETE n)
FOREACH (n IN pages | DETACH DELETE n)
DETACH DELETE d
WITH entities UNWIND entities AS e
WITH DISTINCT e WHERE NOT EXISTS { (e)<--() }
DELETE e
