// Returns: created — number of relationships that were created from corrections to what they apply to.
// $type: type of the relationships.
// $collection: id of the collection of both ends.
// $rows: rows of source, target, properties.
UNWIND $rows AS row
MATCH (a:Correction {id: row.source})
MATCH (b:Evidence {id: row.target})
WHERE a.collection = $collection AND b.collection = $collection
CREATE (a)-[r:$($type)]->(b)
SET r = row.properties
RETURN count(*) AS created
