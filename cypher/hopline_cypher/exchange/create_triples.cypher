// Returns: created — number of triples that were created, with the relationships to the evidence that states them.
// $collection: id of the collection.
// $rows: rows of labels, properties, vectors (pairs of property and vector).
UNWIND $rows AS row
MATCH (e:Evidence {id: row.properties.evidence}) WHERE e.collection = $collection
CREATE (e)-[:STATES]->(n:$(row.labels))
SET n = row.properties
WITH n, row
CALL (n, row) {
  UNWIND row.vectors AS pair
  CALL db.create.setNodeVectorProperty(n, pair[0], pair[1])
  RETURN count(*) AS vectors
}
RETURN count(*) AS created
