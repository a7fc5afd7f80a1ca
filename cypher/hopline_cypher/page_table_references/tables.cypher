// Returns: document, id, number, page, page_number — tables of the given documents, ordered by page.
// $ids: ids of documents.
// $collection: id of the collection.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $ids AS document
MATCH (t:Evidence&Table {document: document, collection: $collection})<-[:HAS_TABLE]-(p:Page)
WHERE NOT t.document IN $excluded
WITH t, min(p.number) AS first, collect(p) AS pages
RETURN t.document AS document, t.id AS id, coalesce(t.number, '') AS number,
  [p IN pages WHERE p.number = first | p.id][0] AS page, first AS page_number
ORDER BY document, page_number, t.ordinal, id
