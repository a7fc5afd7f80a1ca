// Returns: created — number of references that were created, with the relationships to the evidence that lists them.
// $collection: id of the collection.
// $rows: rows of labels, properties.
UNWIND $rows AS row
MATCH (e:Evidence {id: row.properties.evidence}) WHERE e.collection = $collection
CREATE (e)-[:LISTS]->(n:$(row.labels))
SET n = row.properties
RETURN count(*) AS created
