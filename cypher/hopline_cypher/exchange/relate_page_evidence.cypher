// Returns: created — number of relationships that were created from pages to passages and tables.
// $type: type of the relationships.
// $collection: id of the collection of both ends.
// $rows: rows of source, target, properties.
UNWIND $rows AS row
MATCH (a:Page {id: row.source})
MATCH (b:Evidence {id: row.target})
WHERE EXISTS { (:Document {id: a.document, collection: $collection}) } AND b.collection = $collection
CREATE (a)-[r:$($type)]->(b)
SET r = row.properties
RETURN count(*) AS created
