// Returns: rows of source, type, target, properties — relationships of documents to their collection and pages.
// $ids: ids of the documents.
UNWIND $ids AS id
MATCH (n:Document {id: id})
CALL (n) {
  MATCH (c:Collection)-[r:HAS_DOCUMENT]->(n) RETURN c.id AS source, r, n.id AS target
  UNION ALL
  MATCH (n)-[r:HAS_PAGE]->(p) RETURN n.id AS source, r, p.id AS target
}
RETURN collect([source, type(r), target, properties(r)]) AS rows
