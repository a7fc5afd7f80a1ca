// Returns: rows of id, document, section, centrality — passages of documents in reading order, with the sum of their similarities to other passages of the document.
// $ids: ids of documents.
UNWIND $ids AS id
MATCH (d:Document {id: id}) WHERE NOT d:Removed
MATCH (p:Evidence:Passage {document: id})
OPTIONAL MATCH (p)-[s:SIMILAR]-(other:Passage {document: id})
WITH p, sum(coalesce(s.score, 0.0)) AS centrality ORDER BY p.document, p.ordinal
RETURN collect([p.id, p.document, p.section, centrality]) AS rows
