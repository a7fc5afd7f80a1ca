// Returns: id, state — the documents, made or found; those that are new, changed or failed wait.
// $collection: id of the collection.
// $name: name of the collection.
// $documents: rows of id, name, sha256, version, reason (empty: readable).
MERGE (c:Collection {id: $collection}) ON CREATE SET c.name = $name
WITH c
UNWIND $documents AS row
MERGE (d:Document {id: row.id})
  ON CREATE SET d.collection = $collection, d.name = row.name, d.title = '', d.state = 'new', d.pages = 0,
    d.passages = 0, d.tables = 0, d.warnings = [], d.sha256 = '', d.origin = '', d.version = ''
MERGE (c)-[:HAS_DOCUMENT]->(d)
FOREACH (_ IN CASE WHEN row.reason = '' AND (d.state <> 'ready' OR d.version <> row.version) THEN [1] ELSE [] END |
  SET d:Waiting, d.state = 'waiting', d.reason = '', d.sha256 = row.sha256, d.pages_done = 0)
FOREACH (_ IN CASE WHEN row.reason <> '' THEN [1] ELSE [] END |
  SET d.state = 'failed', d.reason = row.reason, d.sha256 = row.sha256)
RETURN d.id AS id, d.state AS state
