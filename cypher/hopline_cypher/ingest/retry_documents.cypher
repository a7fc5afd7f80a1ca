// Returns: id — failed documents that wait again.
// $collection: id of the collection.
MATCH (d:Document {collection: $collection, state: 'failed'}) WHERE d.sha256 <> ''
SET d:Waiting, d.state = 'waiting', d.reason = ''
RETURN d.id AS id
