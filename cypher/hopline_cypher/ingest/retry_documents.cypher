// Returns: id — failed documents, which wait for parsing again.
// $collection: id of the collection.
// $documents: ids of the documents to retry; empty: all.
MATCH (d:Document {collection: $collection, state: 'failed'})
WHERE NOT d:Removed AND d.waiting_sha256 <> '' AND (size($documents) = 0 OR d.id IN $documents)
SET d:Waiting, d.state = 'waiting', d.reason = '', d.pages_done = 0, d.pages_waiting = 0
RETURN d.id AS id
