// Returns: document, id, section, page, page_number, edge — passages, tables and figures below a heading, in reading order.
// $ids: ids of documents.
// $collection: id of the collection.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $ids AS document
MATCH (e:Evidence {document: document, collection: $collection})<-[r:HAS_PASSAGE|HAS_TABLE|HAS_FIGURE]-(p:Page)
WHERE NOT e.document IN $excluded AND size(e.section) > 0
WITH e, min(p.number) AS first, collect({id: p.id, number: p.number, edge: type(r)}) AS pages
WITH e, first, [p IN pages WHERE p.number = first][0] AS page
RETURN e.document AS document, e.id AS id, e.section AS section, page.id AS page, first AS page_number, page.edge AS edge
ORDER BY document, page_number, edge, e.ordinal, id
