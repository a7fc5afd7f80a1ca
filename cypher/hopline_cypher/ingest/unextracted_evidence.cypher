// Returns: id, kind, collection, document, title, name, text, section, caption, cells, sentences, given, extractor, model, corrected_at — evidence that waits for extraction, whole documents at a time; name: that of the document, empty for rows of a JSONL file; extractor: the previous extractor; model: the extraction model of the collection, empty for rules; corrected_at: when it was corrected, null if it was not.
// $limit: number of rows; the last document is completed beyond it.
MATCH (e:Unread)
MATCH (d:Document {id: e.document}) WHERE NOT d:Removed
MATCH (c:Collection {id: e.collection}) WHERE NOT c:Removed
WITH d, c LIMIT $limit
WITH DISTINCT d, c
MATCH (e:Evidence {document: d.id}) WHERE e:Unread
RETURN e.id AS id, CASE WHEN e:Table THEN 'table' ELSE 'passage' END AS kind, e.collection AS collection,
  e.document AS document, d.title AS title,
  CASE WHEN coalesce(d.origin, '') = '' THEN d.name ELSE '' END AS name, e.text AS text, e.section AS section, coalesce(e.caption, '') AS caption,
  coalesce(e.cells, '') AS cells, coalesce(e.sentences, []) AS sentences, e.given AS given,
  coalesce(e.extractor, '') AS extractor, coalesce(c.extraction_model, '') AS model, e.corrected_at AS corrected_at
ORDER BY document, kind, e.ordinal, id
