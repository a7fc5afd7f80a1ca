// Returns: nothing — how many documents the rows of a file will become.
// $id: id of the file.
// $sha256: of the bytes that are read.
// $rows: documents.
MATCH (f:Corpus {id: $id}) WHERE f.sha256 = $sha256
SET f.rows = $rows
