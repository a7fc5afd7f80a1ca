// Returns: nothing — writes figures of claimed documents on their pages; new ones, and those with a changed search text, wait for extraction and embedding.
// $figures: rows of id, pages (ids), search, version, properties.
UNWIND $figures AS row
MATCH (d:Document {id: row.properties.document}) WHERE d.writing = row.version
MERGE (f:Evidence {id: row.id})
  ON CREATE SET f:Figure:Unread:Unembedded
FOREACH (_ IN CASE WHEN f.search <> row.search THEN [1] ELSE [] END | SET f:Unread:Unembedded)
SET f += row.properties, f.search = row.search, f.version = row.version
WITH f, row
UNWIND row.pages AS page
MATCH (g:Page {id: page})
MERGE (g)-[:HAS_FIGURE]->(f)
