// Returns: nothing — what an earlier extractor wrote for this evidence; the entities that it mentioned are settled anew.
// $ids: ids of evidence.
UNWIND $ids AS id
MATCH (p:Evidence {id: id}) WHERE p.extractor IS NOT NULL
WITH collect(p) AS read
CALL (read) { UNWIND read AS p MATCH (p)-[:MENTIONS|ABOUT]->(e:Entity) SET e:Unsettled }
CALL (read) { UNWIND read AS p MATCH (p)-[:STATES]->(:Triple)-[:SUBJECT|OBJECT]->(e:Entity) SET e:Unsettled }
CALL (read) { UNWIND read AS p MATCH (p)-[:STATES]->(t:Triple) DETACH DELETE t }
CALL (read) { UNWIND read AS p MATCH (p)-[r:MENTIONS|ABOUT]->() DELETE r }
