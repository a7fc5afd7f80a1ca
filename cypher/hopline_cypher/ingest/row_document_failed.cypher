// Returns: nothing — a document of a file's rows that cannot be written, and why; an earlier version of it stays.
// $collection: id of the collection.
// $origin: id of the file.
// $sha256: of the file's bytes.
// $id: id of the document.
// $name: its name.
// $reason: in words for the user.
MATCH (f:Corpus {id: $origin})
SET f.changed_at = timestamp()
WITH f WHERE f:Waiting AND f.sha256 = $sha256
MATCH (c:Collection {id: $collection}) WHERE NOT c:Removed
MERGE (d:Document {id: $id})
  ON CREATE SET d.collection = $collection, d.name = $name, d.version = '', d.sha256 = '', d.waiting_sha256 = '',
    d.origin = $origin
WITH c, d WHERE NOT d:Removed
MERGE (c)-[:HAS_DOCUMENT]->(d)
SET d.origin_sha256 = $sha256, d.state = 'failed', d.reason = $reason
