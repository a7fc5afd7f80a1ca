// Returns: dropped — number of deleted evidence that claimed documents no longer contain; its triples are deleted too. Its entities are marked for an update, its neighbours for new SIMILAR edges; if it defined an alias, the other evidence of the document is extracted again.
// $documents: rows of id, version.
// $limit: maximum number of evidence per call.
UNWIND $documents AS row
MATCH (d:Document {id: row.id}) WHERE d.writing = row.version
MATCH (p:Evidence {document: d.id}) WHERE p.version <> row.version
WITH p, d LIMIT $limit
WITH collect(p) AS stale, count(p) AS dropped,
  collect(DISTINCT CASE WHEN size(coalesce(p.alias_pairs, [])) > 0 THEN d.id END) AS renamed
CALL (stale) { UNWIND stale AS p MATCH (p)-[:MENTIONS|ABOUT]->(e:Entity) SET e:Unsettled }
CALL (stale) { UNWIND stale AS p MATCH (p)-[:STATES]->(:Triple)-[:SUBJECT|OBJECT]->(e:Entity) SET e:Unsettled }
CALL (stale) { UNWIND stale AS p MATCH (p)<-[:SIMILAR]-(other:Evidence) SET other:Unrelated }
CALL (stale) { UNWIND stale AS p MATCH (p)-[:STATES]->(t:Triple) DETACH DELETE t }
CALL (stale) { UNWIND stale AS p MATCH (p)-[:LISTS]->(r:Reference) DETACH DELETE r }
CALL (stale) { UNWIND stale AS p DETACH DELETE p }
CALL (renamed) { UNWIND renamed AS document MATCH (p:Evidence {document: document}) SET p:Unread }
RETURN dropped
