// Returns: id — claimed documents, which are marked as parsed.
// $documents: rows of id, title, pages, passages, tables, figures, warnings, left_out, page_labels, version, metadata (what was read from the file, as JSON text; null: nothing), stated (metadata that its pages state, as JSON text; null: none), bibliography (the same with pages and boxes, as JSON text; null: nothing), authors.
UNWIND $documents AS row
MATCH (d:Document {id: row.id}) WHERE d.writing = row.version
SET d.title = row.title, d.pages = row.pages, d.pages_done = row.pages, d.passages = row.passages, d.tables = row.tables, d.figures = row.figures,
  d.warnings = row.warnings, d.left_out = coalesce(row.left_out, []), d.page_labels = coalesce(row.page_labels, []), d.metadata_read = coalesce(row.metadata, ''), d.metadata_stated = coalesce(row.stated, ''), d.bibliography = coalesce(row.bibliography, ''), d.authors = coalesce(row.authors, []), d.version = row.version, d.state = 'ready', d.reason = '', d.read_at = timestamp(),
  d.sha256 = coalesce(d.waiting_sha256, ''), d.waiting_sha256 = ''
REMOVE d:Waiting, d.writing
RETURN d.id AS id
