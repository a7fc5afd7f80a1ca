// Returns: id — those of the files that are in the graph, or wait for parsing, with the same content; they need no processing.
// $files: rows of id, sha256, version (of a document; empty: a JSONL file), titles (of a JSONL file).
UNWIND $files AS row
OPTIONAL MATCH (d:Document {id: row.id}) WHERE NOT d:Removed AND (d.version = row.version OR (d:Waiting AND d.waiting_sha256 = row.sha256))
OPTIONAL MATCH (f:Corpus {id: row.id}) WHERE f.sha256 = row.sha256 AND f.titles = row.titles AND f.state <> 'failed'
WITH row, d, f WHERE d IS NOT NULL OR f IS NOT NULL
RETURN row.id AS id
