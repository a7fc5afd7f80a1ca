// Returns: nothing — writes passages of claimed documents on their pages; new ones, and those with a changed search text, wait for extraction and embedding.
// $passages: rows of id, pages (ids), search, version, properties.
UNWIND $passages AS row
MATCH (d:Document {id: row.properties.document}) WHERE d.writing = row.version
MERGE (p:Evidence {id: row.id})
  ON CREATE SET p:Passage:Unread:Unembedded
FOREACH (_ IN CASE WHEN p.search <> row.search THEN [1] ELSE [] END | SET p:Unread:Unembedded)
SET p += row.properties, p.search = row.search, p.version = row.version
WITH p, row
UNWIND row.pages AS page
MATCH (g:Page {id: page})
MERGE (g)-[:HAS_PASSAGE]->(p)
