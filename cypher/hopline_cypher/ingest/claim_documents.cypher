// Returns: id — documents that exist and still wait for these bytes; later statements of the transaction write only to them.
// $documents: rows of id, sha256 (of the bytes that were parsed), version.
UNWIND $documents AS row
MATCH (d:Document {id: row.id})
SET d.changed_at = timestamp()
WITH d, row WHERE d:Waiting AND NOT d:Removed AND d.waiting_sha256 = row.sha256
SET d.writing = row.version
RETURN d.id AS id
