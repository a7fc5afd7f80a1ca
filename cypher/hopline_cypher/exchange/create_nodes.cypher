// Returns: created — number of nodes that were created.
// $rows: rows of labels, properties, vectors (pairs of property and vector).
UNWIND $rows AS row
CREATE (n:$(row.labels))
SET n = row.properties
WITH n, row
CALL (n, row) {
  UNWIND row.vectors AS pair
  CALL db.create.setNodeVectorProperty(n, pair[0], pair[1])
  RETURN count(*) AS vectors
}
RETURN count(*) AS created
