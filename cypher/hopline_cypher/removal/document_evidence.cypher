// Returns: removed — how much evidence of a document that waits to be removed is gone now, with its triples. Entities that it mentioned wait to be settled, its neighbours to be related.
// $id: id of the document.
// $limit: evidence at most.
MATCH (d:Document&Removed {id: $id})
SET d.changed_at = timestamp()
WITH d
MATCH (p:Evidence {document: d.id})
WITH p LIMIT $limit
WITH collect(p) AS gone
CALL (gone) { UNWIND gone AS p MATCH (p)-[:MENTIONS|ABOUT]->(e:Entity) SET e:Unsettled }
CALL (gone) { UNWIND gone AS p MATCH (p)-[:STATES]->(:Triple)-[:SUBJECT|OBJECT]->(e:Entity) SET e:Unsettled }
CALL (gone) { UNWIND gone AS p MATCH (p)<-[:SIMILAR]-(other:Evidence) SET other:Unrelated }
CALL (gone) { UNWIND gone AS p MATCH (p)-[:STATES]->(t:Triple) DETACH DELETE t }
CALL (gone) { UNWIND gone AS p DETACH DELETE p }
RETURN size(gone) AS removed
