// Returns: nothing — documents that came as rows of a file.
// $collection: id of the collection.
// $origin: id of the file.
// $documents: rows of id, name.
MATCH (c:Collection {id: $collection})
UNWIND $documents AS row
MERGE (d:Document {id: row.id})
  ON CREATE SET d.collection = $collection, d.name = row.name, d.version = '', d.sha256 = ''
MERGE (c)-[:HAS_DOCUMENT]->(d)
SET d.origin = $origin, d.reason = ''
