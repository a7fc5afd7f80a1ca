// Returns: nothing — pages that documents no longer have.
// $documents: rows of id, version.
UNWIND $documents AS row
MATCH (:Document {id: row.id})-[:HAS_PAGE]->(p:Page) WHERE p.version <> row.version
DETACH DELETE p
