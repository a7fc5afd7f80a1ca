// Returns: nothing — deletes what an earlier extractor wrote for this evidence; the mentioned entities are marked for an update.
// $ids: ids of evidence.
UNWIND $ids AS id
MATCH (p:Evidence {id: id}) WHERE p.extractor IS NOT NULL
WITH collect(p) AS evidence
CALL (evidence) { UNWIND evidence AS p MATCH (p)-[:MENTIONS|ABOUT]->(e:Entity) SET e:Unsettled }
CALL (evidence) { UNWIND evidence AS p MATCH (p)-[:STATES]->(:Triple)-[:SUBJECT|OBJECT]->(e:Entity) SET e:Unsettled }
CALL (evidence) { UNWIND evidence AS p MATCH (p)-[:STATES]->(t:Triple) DETACH DELETE t }
CALL (evidence) { UNWIND evidence AS p MATCH (p)-[:LISTS]->(r:Reference) DETACH DELETE r }
CALL (evidence) { UNWIND evidence AS p MATCH (p)-[r:MENTIONS|ABOUT]->() DELETE r }
