// Returns: dropped — number of deleted edges: the passage order and the page edges of claimed documents, which are written again later.
// $documents: rows of id, version.
// $limit: maximum number of edges per call.
UNWIND $documents AS row
MATCH (d:Document {id: row.id}) WHERE d.writing = row.version
MATCH (p:Evidence {document: d.id})
CALL (p) {
  MATCH (p)-[edge:NEXT]->()
  RETURN edge
  UNION ALL
  MATCH ()-[edge:HAS_PASSAGE|HAS_TABLE|HAS_FIGURE]->(p)
  RETURN edge
}
WITH edge LIMIT $limit
DELETE edge
RETURN count(*) AS dropped
