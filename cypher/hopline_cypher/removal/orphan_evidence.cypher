// Returns: removed — number of deleted evidence without a document, with its triples; its entities are marked for an update.
// $limit: maximum number of evidence per call.
MATCH (p:Evidence) WHERE NOT EXISTS { (:Document {id: p.document}) }
WITH p LIMIT $limit
WITH collect(p) AS deleted
CALL (deleted) { UNWIND deleted AS p MATCH (p)-[:MENTIONS|ABOUT]->(e:Entity) SET e:Unsettled }
CALL (deleted) { UNWIND deleted AS p MATCH (p)-[:STATES]->(:Triple)-[:SUBJECT|OBJECT]->(e:Entity) SET e:Unsettled }
CALL (deleted) { UNWIND deleted AS p MATCH (p)<-[:SIMILAR]-(other:Evidence) SET other:Unrelated }
CALL (deleted) { UNWIND deleted AS p MATCH (p)-[:STATES]->(t:Triple) DETACH DELETE t }
CALL (deleted) { UNWIND deleted AS p MATCH (p)-[:LISTS]->(r:Reference) DETACH DELETE r }
CALL (deleted) { UNWIND deleted AS p DETACH DELETE p }
RETURN size(deleted) AS removed
