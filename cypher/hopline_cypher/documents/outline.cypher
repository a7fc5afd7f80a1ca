// Returns: id, kind, section, page, top, number, caption — evidence of a document with the path of its section, its first page and the distance of its first box from the top of this page (0 if unknown): passages in reading order, then tables, then figures.
// $id: id of the document.
MATCH (e:Evidence {document: $id})
WITH e, CASE WHEN e:Table THEN 'table' WHEN e:Figure THEN 'figure' ELSE 'passage' END AS kind
RETURN e.id AS id, kind, coalesce(e.section, []) AS section, coalesce(e.pages[0], 1) AS page,
  CASE WHEN size(coalesce(e.boxes, [])) > 2 THEN e.boxes[2] ELSE 0.0 END AS top,
  coalesce(e.number, '') AS number, coalesce(e.caption, '') AS caption
ORDER BY kind = 'figure', kind = 'table', e.ordinal, e.id
