// Returns: nothing — what claimed documents no longer hold, with its triples. Entities that it mentioned are settled anew, its neighbours related anew, and where it said who is meant by an alias, the document's other evidence is extracted anew.
// $documents: rows of id, version.
UNWIND $documents AS row
MATCH (d:Document {id: row.id}) WHERE d.writing = row.version
MATCH (p:Evidence {document: d.id}) WHERE p.version <> row.version
WITH collect(p) AS gone, collect(DISTINCT CASE WHEN size(coalesce(p.alias_pairs, [])) > 0 THEN d.id END) AS renamed
CALL (gone) { UNWIND gone AS p MATCH (p)-[:MENTIONS|ABOUT]->(e:Entity) SET e:Unsettled }
CALL (gone) { UNWIND gone AS p MATCH (p)-[:STATES]->(:Triple)-[:SUBJECT|OBJECT]->(e:Entity) SET e:Unsettled }
CALL (gone) { UNWIND gone AS p MATCH (p)<-[:SIMILAR]-(other:Evidence) SET other:Unrelated }
CALL (gone) { UNWIND gone AS p MATCH (p)-[:STATES]->(t:Triple) DETACH DELETE t }
CALL (gone) { UNWIND gone AS p DETACH DELETE p }
WITH renamed
UNWIND renamed AS document
MATCH (p:Evidence {document: document})
SET p:Unread
