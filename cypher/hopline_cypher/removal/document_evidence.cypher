// Returns: removed — number of deleted evidence, with its triples, of a document that is being removed. Its entities are marked for an update, its neighbours for new SIMILAR edges.
// $id: id of the document.
// $limit: maximum number of evidence per call.
MATCH (d:Document&Removed {id: $id})
SET d.changed_at = timestamp()
WITH d
MATCH (p:Evidence {document: d.id})
WITH p LIMIT $limit
WITH collect(p) AS deleted
CALL (deleted) { UNWIND deleted AS p MATCH (p)-[:MENTIONS|ABOUT]->(e:Entity) SET e:Unsettled }
CALL (deleted) { UNWIND deleted AS p MATCH (p)-[:STATES]->(:Triple)-[:SUBJECT|OBJECT]->(e:Entity) SET e:Unsettled }
CALL (deleted) { UNWIND deleted AS p MATCH (p)<-[:SIMILAR]-(other:Evidence) SET other:Unrelated }
CALL (deleted) { UNWIND deleted AS p MATCH (p)-[:STATES]->(t:Triple) DETACH DELETE t }
CALL (deleted) { UNWIND deleted AS p MATCH (p)-[:LISTS]->(r:Reference) DETACH DELETE r }
CALL (deleted) { UNWIND deleted AS p DETACH DELETE p }
RETURN size(deleted) AS removed
