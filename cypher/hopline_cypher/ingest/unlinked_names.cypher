// Returns: id, name — names that older evidence of their collection has not been searched for.
// $collection: id of the collection.
// $limit: rows at most.
MATCH (e:Unlinked) WHERE e.collection = $collection
RETURN e.id AS id, e.name AS name LIMIT $limit
