// Returns: id, state — created or existing documents; new, changed and failed ones wait for parsing. No row for a document that is being removed, or whose collection is, and none for one that was added from another file meanwhile.
// $collection: id of the collection.
// $name: name of the collection; used if it is new.
// $extraction_model: name of the collection's extraction model; used if it is new; empty: rules.
// $documents: rows of id, name, sha256, version, reason (why it cannot be read; empty: it can be read), path (of the file; empty: not known), known_path (of the document's file so far; empty: not known, or a new document).
MERGE (c:Collection {id: $collection})
  ON CREATE SET c.name = $name, c.extraction_model = $extraction_model
SET c.changed_at = timestamp()
WITH c WHERE NOT c:Removed AND NOT c:Importing
UNWIND $documents AS row
MERGE (d:Document {id: row.id})
  ON CREATE SET d.collection = $collection, d.name = row.name, d.title = '', d.state = 'new', d.pages = 0,
    d.passages = 0, d.tables = 0, d.warnings = [], d.left_out = [], d.sha256 = '', d.origin = '', d.version = '', d.waiting_sha256 = '', d.path = ''
SET d.changed_at = timestamp()
WITH c, d, row, coalesce(row.path, '') AS path, coalesce(d.path, '') AS known_path
WHERE NOT d:Removed AND (path = '' OR known_path IN ['', path, row.known_path])
SET d.path = CASE WHEN path = '' THEN known_path ELSE path END
MERGE (c)-[:HAS_DOCUMENT]->(d)
FOREACH (_ IN CASE WHEN row.reason = '' AND d.version = row.version THEN [1] ELSE [] END |
  SET d.state = 'ready', d.reason = '', d.waiting_sha256 = ''
  REMOVE d:Waiting)
FOREACH (_ IN CASE WHEN row.reason = '' AND d.version <> row.version THEN [1] ELSE [] END |
  SET d:Waiting, d.state = 'waiting', d.reason = '', d.waiting_sha256 = row.sha256, d.pages_done = 0, d.pages_waiting = 0)
FOREACH (_ IN CASE WHEN row.reason <> '' AND NOT d:Waiting THEN [1] ELSE [] END |
  SET d.state = 'failed', d.reason = row.reason, d.waiting_sha256 = row.sha256)
RETURN d.id AS id, d.state AS state
