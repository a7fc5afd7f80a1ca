// Returns: removed — how much evidence without its document is gone now, with its triples; entities that it mentioned wait to be settled.
// $limit: evidence at most.
MATCH (p:Evidence) WHERE NOT EXISTS { (:Document {id: p.document}) }
WITH p LIMIT $limit
WITH collect(p) AS gone
CALL (gone) { UNWIND gone AS p MATCH (p)-[:MENTIONS|ABOUT]->(e:Entity) SET e:Unsettled }
CALL (gone) { UNWIND gone AS p MATCH (p)-[:STATES]->(:Triple)-[:SUBJECT|OBJECT]->(e:Entity) SET e:Unsettled }
CALL (gone) { UNWIND gone AS p MATCH (p)<-[:SIMILAR]-(other:Evidence) SET other:Unrelated }
CALL (gone) { UNWIND gone AS p MATCH (p)-[:STATES]->(t:Triple) DETACH DELETE t }
CALL (gone) { UNWIND gone AS p DETACH DELETE p }
RETURN size(gone) AS removed
