// Returns: id, state — created or existing documents; new, changed and failed ones wait for parsing. No row for a document that is being removed, or whose collection is.
// $collection: id of the collection.
// $name: name of the collection; used if it is new.
// $extraction_model: name of the collection's extraction model; used if it is new; empty: rules.
// $documents: rows of id, name, sha256, version, reason (why it cannot be read; empty: it can be read).
MERGE (c:Collection {id: $collection})
  ON CREATE SET c.name = $name, c.extraction_model = $extraction_model
SET c.changed_at = timestamp()
WITH c WHERE NOT c:Removed
UNWIND $documents AS row
MERGE (d:Document {id: row.id})
  ON CREATE SET d.collection = $collection, d.name = row.name, d.title = '', d.state = 'new', d.pages = 0,
    d.passages = 0, d.tables = 0, d.warnings = [], d.left_out = [], d.sha256 = '', d.origin = '', d.version = '', d.waiting_sha256 = ''
SET d.changed_at = timestamp()
WITH c, d, row WHERE NOT d:Removed
MERGE (c)-[:HAS_DOCUMENT]->(d)
FOREACH (_ IN CASE WHEN row.reason = '' AND d.version = row.version THEN [1] ELSE [] END |
  SET d.state = 'ready', d.reason = '', d.waiting_sha256 = ''
  REMOVE d:Waiting)
FOREACH (_ IN CASE WHEN row.reason = '' AND d.version <> row.version THEN [1] ELSE [] END |
  SET d:Waiting, d.state = 'waiting', d.reason = '', d.waiting_sha256 = row.sha256, d.pages_done = 0, d.pages_waiting = 0)
FOREACH (_ IN CASE WHEN row.reason <> '' AND NOT d:Waiting THEN [1] ELSE [] END |
  SET d.state = 'failed', d.reason = row.reason, d.waiting_sha256 = row.sha256)
RETURN d.id AS id, d.state AS state
