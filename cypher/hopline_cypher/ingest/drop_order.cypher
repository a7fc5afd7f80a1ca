// Returns: nothing — a document's order and its places on pages, before they are written anew.
// $ids: ids of documents that had an earlier version.
UNWIND $ids AS id
MATCH (p:Evidence {document: id})
OPTIONAL MATCH (p)-[n:NEXT]->()
OPTIONAL MATCH ()-[on:HAS_PASSAGE|HAS_TABLE]->(p)
DELETE n, on
