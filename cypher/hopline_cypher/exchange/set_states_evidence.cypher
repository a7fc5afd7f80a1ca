// Returns: nothing — adds labels that say what work waits to passages and tables.
// $rows: rows of id, labels.
UNWIND $rows AS row
MATCH (n:Evidence {id: row.id})
SET n:$(row.labels)
