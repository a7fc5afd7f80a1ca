// Returns: nothing — marks a document of a JSONL file as failed with the reason; an earlier version is retained.
// $collection: id of the collection.
// $origin: id of the JSONL file.
// $sha256: SHA-256 of the file.
// $id: id of the document.
// $name: name of the document.
// $reason: error message for the user.
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
