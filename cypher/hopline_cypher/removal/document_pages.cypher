// Returns: removed — number of deleted pages of a document that is being removed.
// $id: id of the document.
// $limit: maximum number of pages per call.
MATCH (d:Document&Removed {id: $id})-[:HAS_PAGE]->(p:Page)
WITH p LIMIT $limit
DETACH DELETE p
RETURN count(*) AS removed
