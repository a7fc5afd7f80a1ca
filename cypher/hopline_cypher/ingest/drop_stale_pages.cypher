// Returns: nothing — deletes pages that claimed documents no longer have.
// $documents: rows of id, version.
UNWIND $documents AS row
MATCH (d:Document {id: row.id})-[:HAS_PAGE]->(p:Page) WHERE d.writing = row.version AND p.version <> row.version
DETACH DELETE p
