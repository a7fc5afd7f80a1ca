// Returns: created — number of relationships that were created from evidence to references.
// $type: type of the relationships.
// $collection: id of the collection of both ends.
// $rows: rows of source, target, properties.
UNWIND $rows AS row
MATCH (a:Evidence {id: row.source})
MATCH (b:Reference {id: row.target})
WHERE a.collection = $collection AND b.collection = $collection
CREATE (a)-[r:$($type)]->(b)
SET r = row.properties
RETURN count(*) AS created
