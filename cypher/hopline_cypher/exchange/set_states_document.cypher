// Returns: nothing — adds labels that say what work waits to documents.
// $rows: rows of id, labels.
UNWIND $rows AS row
MATCH (n:Document {id: row.id})
SET n:$(row.labels)
