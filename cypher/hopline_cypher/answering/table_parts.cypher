// Returns: rows of id, document, caption — tables of documents that are parts of longer ones, as their captions say ("(rows 51–100)"), in their order.
// $ids: ids of documents.
// $limit: maximum number of parts.
UNWIND $ids AS id
MATCH (d:Document {id: id}) WHERE NOT d:Removed
MATCH (t:Evidence:Table {document: id}) WHERE t.caption =~ '.*\\(rows \\d+–\\d+\\)'
WITH t ORDER BY t.document, t.ordinal, t.id LIMIT $limit
RETURN collect([t.id, t.document, t.caption]) AS rows
