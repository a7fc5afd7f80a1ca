// Returns: nothing — writes tables of claimed documents on their pages; new ones, and those with a changed search text, wait for extraction and embedding.
// $tables: rows of id, pages (ids), search, version, properties.
UNWIND $tables AS row
MATCH (d:Document {id: row.properties.document}) WHERE d.writing = row.version
MERGE (t:Evidence {id: row.id})
  ON CREATE SET t:Table:Unread:Unembedded
FOREACH (_ IN CASE WHEN t.search <> row.search THEN [1] ELSE [] END | SET t:Unread:Unembedded)
SET t += row.properties, t.search = row.search, t.version = row.version
WITH t, row
UNWIND row.pages AS page
MATCH (g:Page {id: page})
MERGE (g)-[:HAS_TABLE]->(t)
