// Returns: nothing — writes the number of documents that a JSONL file will become.
// $id: id of the JSONL file.
// $sha256: SHA-256 of the bytes that are being parsed.
// $rows: number of documents.
MATCH (f:Corpus {id: $id}) WHERE f.sha256 = $sha256
SET f.rows = $rows
