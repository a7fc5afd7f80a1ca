// Returns: id, kind, collection, document, name, pages, boxes, text, lines, sentences, search, caption, number, cells, structure, markdown, correction, saved — one passage, table or figure; name: of its document; correction, saved: the id of its correction, and what it replaced as JSON text; empty: none.
// $id: id of the evidence.
MATCH (e:Evidence {id: $id})
MATCH (d:Document {id: e.document}) WHERE NOT d:Removed
OPTIONAL MATCH (k:Correction)-[:CORRECTS]->(e)
RETURN e.id AS id, CASE WHEN e:Table THEN 'table' WHEN e:Figure THEN 'figure' ELSE 'passage' END AS kind, e.collection AS collection,
  d.id AS document, d.name AS name, e.pages AS pages, e.boxes AS boxes, e.text AS text, e.lines AS lines, e.sentences AS sentences,
  e.search AS search, coalesce(e.caption, '') AS caption, coalesce(e.number, '') AS number, coalesce(e.cells, '') AS cells,
  coalesce(e.structure, '') AS structure, coalesce(e.markdown, '') AS markdown, coalesce(k.id, '') AS correction, coalesce(k.saved, '') AS saved
