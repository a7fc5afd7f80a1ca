// Returns: id, name — names that older evidence of the collection was not searched for yet.
// $collection: id of the collection.
// $limit: maximum number of rows.
MATCH (e:Unlinked) WHERE e.collection = $collection
RETURN e.id AS id, e.name AS name LIMIT $limit
