// Returns: id, kind, text, document, document_id, title, section, caption, number, pages, boxes, lines, sentences, source_id — evidence as it is cited.
// $ids: ids of passages and tables.
UNWIND $ids AS id
MATCH (e:Evidence {id: id})
MATCH (d:Document {id: e.document})
RETURN e.id AS id, CASE WHEN e:Table THEN 'table' ELSE 'passage' END AS kind, e.text AS text, d.name AS document,
  d.id AS document_id, d.title AS title, e.section AS section, coalesce(e.caption, '') AS caption,
  coalesce(e.number, '') AS number, e.pages AS pages, e.boxes AS boxes, e.lines AS lines, e.sentences AS sentences,
  coalesce(e.source_id, '') AS source_id
