// Returns: id — created or existing documents of a JSONL file, if the file exists and still waits for these bytes; later statements of the transaction write only to them.
// $origin: id of the JSONL file.
// $sha256: SHA-256 of the bytes that were parsed.
// $titles: how titles were handled when parsing: keep, ignore or drop.
// $unchanged: rows of id and metadata (as JSON text) of documents whose passages did not change.
// $documents: rows of id, name, version.
MATCH (f:Corpus {id: $origin})
SET f.changed_at = timestamp()
WITH f WHERE f:Waiting AND f.sha256 = $sha256 AND f.titles = $titles
MATCH (c:Collection {id: f.collection}) WHERE NOT c:Removed
CALL (f) {
  UNWIND $unchanged AS row
  MATCH (d:Document {id: row.id}) WHERE NOT d:Removed
  SET d.changed_at = timestamp(), d.metadata_read = row.metadata, d.origin_sha256 = $sha256, d.state = 'ready', d.reason = ''
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
