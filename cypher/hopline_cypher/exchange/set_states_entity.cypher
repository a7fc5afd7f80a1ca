// Returns: nothing — adds labels that say what work waits to entities.
// $rows: rows of id, labels.
UNWIND $rows AS row
MATCH (n:Entity {id: row.id})
SET n:$(row.labels)
