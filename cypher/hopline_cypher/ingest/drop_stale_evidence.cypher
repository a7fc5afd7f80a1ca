// Returns: nothing — what documents no longer hold, with its triples; entities that nothing mentions go with it.
// $documents: rows of id, version.
UNWIND $documents AS row
MATCH (p:Evidence {document: row.id}) WHERE p.version <> row.version
OPTIONAL MATCH (p)-[:STATES]->(t:Triple)
OPTIONAL MATCH (p)-[:MENTIONS|ABOUT]->(e:Entity)
OPTIONAL MATCH (t)-[:SUBJECT|OBJECT]->(end:Entity)
WITH collect(DISTINCT p) AS gone, collect(DISTINCT t) AS triples, collect(DISTINCT e) + collect(DISTINCT end) AS entities
FOREACH (n IN gone | DETACH DELETE n)
FOREACH (n IN triples | DETACH DELETE n)
WITH entities UNWIND entities AS e
WITH DISTINCT e WHERE NOT EXISTS { (e)<--() }
DELETE e
