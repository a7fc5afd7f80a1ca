// Returns: created — number of pages that were created, with the relationships to their documents.
// $collection: id of the collection.
// $rows: rows of labels, properties.
UNWIND $rows AS row
MATCH (d:Document {id: row.properties.document}) WHERE d.collection = $collection
CREATE (d)-[:HAS_PAGE]->(n:$(row.labels))
SET n = row.properties
RETURN count(*) AS created
