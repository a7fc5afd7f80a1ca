// Returns: rows of id, kind, text, document, document_id, title, section, caption, number, pages, boxes, lines, sentences, source_id, cells, structure, page_labels, correction — evidence with all fields that are cited; correction: id, original text, author and time (milliseconds since 1970) of its correction, null if there is none.
// $ids: ids of passages, tables and figures.
// $documents: ids of the documents to search; the evidence of others is left out; empty: all.
UNWIND $ids AS id
MATCH (e:Evidence {id: id})
MATCH (d:Document {id: e.document}) WHERE NOT d:Removed AND (size($documents) = 0 OR d.id IN $documents)
RETURN collect([e.id, CASE WHEN e:Table THEN 'table' WHEN e:Figure THEN 'figure' ELSE 'passage' END, e.text, d.name, d.id, d.title, e.section,
  coalesce(e.caption, ''), coalesce(e.number, ''), e.pages, e.boxes, e.lines, e.sentences,
  coalesce(e.source_id, ''), coalesce(e.cells, ''),
  coalesce(e.structure, ''), coalesce(e.page_labels, []),
  CASE WHEN e.corrected_at IS NULL THEN null ELSE head(COLLECT { MATCH (k:Correction)-[:CORRECTS]->(e) RETURN [k.id, k.original, k.author, k.at] }) END]) AS rows
