// Returns: nothing — deletes the passage order and the page edges of claimed documents, before they are written again.
// $documents: rows of id, version.
UNWIND $documents AS row
MATCH (d:Document {id: row.id}) WHERE d.writing = row.version
MATCH (p:Evidence {document: d.id})
OPTIONAL MATCH (p)-[n:NEXT]->()
OPTIONAL MATCH ()-[on:HAS_PASSAGE|HAS_TABLE]->(p)
DELETE n, on
