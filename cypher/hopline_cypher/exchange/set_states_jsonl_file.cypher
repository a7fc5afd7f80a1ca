// Returns: nothing — adds labels that say what work waits to JSONL files.
// $rows: rows of id, labels.
UNWIND $rows AS row
MATCH (n:Corpus {id: row.id})
SET n:$(row.labels)
