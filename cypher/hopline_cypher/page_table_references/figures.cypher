// Returns: document, id, kind, number, caption, page, page_number — figures of the given documents, and tables labelled as exhibits, ordered by page.
// $ids: ids of documents.
// $collection: id of the collection.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $ids AS document
MATCH (f:Evidence {document: document, collection: $collection})<-[:HAS_FIGURE|HAS_TABLE]-(p:Page)
WHERE NOT f.document IN $excluded AND (f:Figure OR toLower(f.caption) STARTS WITH 'exhibit')
WITH f, min(p.number) AS first, collect(p) AS pages
RETURN f.document AS document, f.id AS id, CASE WHEN f:Figure THEN 'figure' ELSE 'table' END AS kind, coalesce(f.number, '') AS number, f.caption AS caption,
  [p IN pages WHERE p.number = first | p.id][0] AS page, first AS page_number
ORDER BY document, page_number, f.ordinal, id
