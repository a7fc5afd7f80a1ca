// Returns: created — number of documents and JSONL files that were created, documents with their relationship to the collection.
// $collection: id of the collection.
// $rows: rows of labels, properties.
MATCH (c:Collection {id: $collection})
UNWIND $rows AS row
CREATE (n:$(row.labels))
SET n = row.properties
FOREACH (_ IN CASE WHEN n:Document THEN [1] ELSE [] END | CREATE (c)-[:HAS_DOCUMENT]->(n))
RETURN count(*) AS created
