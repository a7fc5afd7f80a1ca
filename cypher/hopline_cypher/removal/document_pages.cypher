// Returns: removed — how many pages of a document that waits to be removed are gone now.
// $id: id of the document.
// $limit: pages at most.
MATCH (d:Document&Removed {id: $id})-[:HAS_PAGE]->(p:Page)
WITH p LIMIT $limit
DETACH DELETE p
RETURN count(*) AS removed
