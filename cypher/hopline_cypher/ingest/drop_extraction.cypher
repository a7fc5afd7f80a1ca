// Returns: nothing — what an earlier extractor wrote for this evidence; entities that nothing mentions go with it.
// $ids: ids of evidence.
UNWIND $ids AS id
MATCH (e:Evidence {id: id}) WHERE e.extractor IS NOT NULL
OPTIONAL MATCH (e)-[r:MENTIONS|ABOUT]->(n:Entity|Merged)
OPTIONAL MATCH (e)-[:STATES]->(t:Triple)
OPTIONAL MATCH (t)-[:SUBJECT|OBJECT]->(end:Entity|Merged)
WITH collect(DISTINCT r) AS edges, collect(DISTINCT t) AS triples, collect(DISTINCT n) + collect(DISTINCT end) AS entities
FOREACH (r IN edges | DELETE r)
FOREACH (t IN triples | DETACH DELETE t)
WITH entities UNWIND entities AS e
WITH DISTINCT e WHERE e:Entity AND NOT EXISTS { (e)<--() }
DELETE e
