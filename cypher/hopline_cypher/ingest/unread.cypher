// Returns: id, kind, collection, document, title, text, section, caption, cells, sentences, given — evidence that no extractor has read.
// $limit: rows at most.
MATCH (e:Unread)
WITH e LIMIT $limit
MATCH (d:Document {id: e.document})
RETURN e.id AS id, CASE WHEN e:Table THEN 'table' ELSE 'passage' END AS kind, e.collection AS collection,
  e.document AS document, d.title AS title, e.text AS text, e.section AS section, coalesce(e.caption, '') AS caption,
  coalesce(e.cells, '') AS cells, coalesce(e.sentences, []) AS sentences, e.given AS given
