// Returns: nothing — writes the entries of lists of references, with the evidence that lists them.
// $references: rows of id, evidence, properties.
UNWIND $references AS row
MATCH (p:Evidence {id: row.evidence})
MERGE (r:Reference {id: row.id})
SET r = row.properties
MERGE (p)-[:LISTS]->(r)
