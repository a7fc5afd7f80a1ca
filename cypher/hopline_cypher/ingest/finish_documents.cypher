// Returns: nothing — documents that are read.
// $documents: rows of id, title, pages, passages, tables, warnings, version.
UNWIND $documents AS row
MATCH (d:Document {id: row.id})
SET d.title = row.title, d.pages = row.pages, d.pages_done = row.pages, d.passages = row.passages, d.tables = row.tables,
  d.warnings = row.warnings, d.version = row.version, d.state = 'ready', d.reason = '',
  d.read_at = timestamp()
REMOVE d:Waiting
