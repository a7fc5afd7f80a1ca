// Returns: nothing — writes pages of claimed documents.
// $pages: rows of id, document, number, width, height, label, version.
UNWIND $pages AS row
MATCH (d:Document {id: row.document}) WHERE d.writing = row.version
MERGE (p:Page {id: row.id})
SET p.document = row.document, p.number = row.number, p.width = row.width, p.height = row.height, p.label = row.label, p.version = row.version
MERGE (d)-[:HAS_PAGE]->(p)
