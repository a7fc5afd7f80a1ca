// Returns: document, number, page, id, edge — passages, tables and figures on the given pages, in reading order.
// $pages: rows of document and number.
// $collection: id of the collection.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $pages AS row
MATCH (d:Document {id: row.document, collection: $collection})-[:HAS_PAGE]->(p:Page {number: row.number})-[r:HAS_PASSAGE|HAS_TABLE|HAS_FIGURE]->(e:Evidence)
WHERE NOT d.id IN $excluded
RETURN row.document AS document, row.number AS number, p.id AS page, e.id AS id, type(r) AS edge
ORDER BY document, number, edge, e.ordinal, id
