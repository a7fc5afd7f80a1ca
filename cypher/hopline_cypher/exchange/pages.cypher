// Returns: rows of id, labels, properties — pages of documents, ordered by document and number.
// $ids: ids of the documents.
UNWIND $ids AS id
MATCH (:Document {id: id})-[:HAS_PAGE]->(n:Page)
WITH n ORDER BY n.document, n.number, n.id
RETURN collect([n.id, labels(n), properties(n)]) AS rows
