// Returns: id — the documents of a file's rows, made or found, if the file is still there and still waits for these bytes; the statements that follow in the transaction write only to them.
// $origin: id of the file.
// $sha256: of the bytes that were read.
// $titles: keep, ignore or drop, as they were read.
// $unchanged: ids of documents whose rows are as they were.
// $documents: rows of id, name, version.
MATCH (f:Corpus {id: $origin})
SET f.changed_at = timestamp()
WITH f WHERE f:Waiting AND f.sha256 = $sha256 AND f.titles = $titles
MATCH (c:Collection {id: f.collection}) WHERE NOT c:Removed
CALL (f) {
  UNWIND $unchanged AS id
  MATCH (d:Document {id: id}) WHERE NOT d:Removed
  SET d.origin_sha256 = $sha256, d.state = 'ready', d.reason = ''
}
WITH c, f
UNWIND $documents AS row
MERGE (d:Document {id: row.id})
  ON CREATE SET d.collection = c.id, d.name = row.name, d.version = '', d.sha256 = '', d.waiting_sha256 = '',
    d.origin = f.id
SET d.changed_at = timestamp()
WITH c, d, row WHERE NOT d:Removed
MERGE (c)-[:HAS_DOCUMENT]->(d)
SET d.origin_sha256 = $sha256, d.reason = '', d.writing = row.version
RETURN d.id AS id
