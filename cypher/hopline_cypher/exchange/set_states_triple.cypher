// Returns: nothing — adds labels that say what work waits to triples.
// $rows: rows of id, labels.
UNWIND $rows AS row
MATCH (n:Triple {id: row.id})
SET n:$(row.labels)
