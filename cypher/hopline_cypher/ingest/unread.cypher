// Returns: id, kind, collection, document, title, text, section, caption, cells, sentences, given, extractor, model — evidence that no extractor has read, whole documents at a time; extractor: what read it before; model: what extracts in its collection, empty for rules.
// $limit: rows, but for the rest of the last documents.
MATCH (e:Unread)
MATCH (d:Document {id: e.document}) WHERE NOT d:Removed
MATCH (c:Collection {id: e.collection}) WHERE NOT c:Removed
WITH d, c LIMIT $limit
WITH DISTINCT d, c
MATCH (e:Evidence {document: d.id}) WHERE e:Unread
RETURN e.id AS id, CASE WHEN e:Table THEN 'table' ELSE 'passage' END AS kind, e.collection AS collection,
  e.document AS document, d.title AS title, e.text AS text, e.section AS section, coalesce(e.caption, '') AS caption,
  coalesce(e.cells, '') AS cells, coalesce(e.sentences, []) AS sentences, e.given AS given,
  coalesce(e.extractor, '') AS extractor, coalesce(c.extraction_model, '') AS model
ORDER BY document, kind, e.ordinal, id
