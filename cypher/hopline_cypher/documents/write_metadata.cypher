// Returns: updated — ids of the documents and JSONL files whose metadata were written; none that was changed since its metadata were read.
// $rows: rows of id, side, given (the new layers, as JSON texts), known_given (the layer as it was read).
UNWIND $rows AS row
MATCH (n:Document|Corpus {id: row.id})
SET n.changed_at = timestamp()
WITH n, row WHERE NOT n:Removed AND coalesce(n.metadata_given, '') = row.known_given
SET n.metadata_side = row.side, n.metadata_given = row.given
RETURN n.id AS updated
