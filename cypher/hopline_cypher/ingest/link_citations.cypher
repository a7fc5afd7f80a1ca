// Returns: nothing — links the evidence of documents to the references that it cites, by their keys, replacing earlier links.
// $documents: ids of documents.
UNWIND $documents AS document
CALL (document) {
  MATCH (:Reference {document: document})<-[c:CITES]-()
  DELETE c
}
CALL (document) {
  MATCH (r:Reference {document: document})
  WITH r.key AS key, head(collect(r)) AS reference
  MATCH (p:Evidence {document: document}) WHERE key IN p.citations
  CREATE (p)-[:CITES]->(reference)
}
