// Returns: nothing — the order of claimed documents and their places on pages, before they are written anew.
// $documents: rows of id, version.
UNWIND $documents AS row
MATCH (d:Document {id: row.id}) WHERE d.writing = row.version
MATCH (p:Evidence {document: d.id})
OPTIONAL MATCH (p)-[n:NEXT]->()
OPTIONAL MATCH ()-[on:HAS_PASSAGE|HAS_TABLE]->(p)
DELETE n, on
