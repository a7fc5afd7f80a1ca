// Returns: related — whether a collection has evidence with nearest neighbours.
// $collection: id of the collection.
RETURN EXISTS { MATCH (n:Evidence {collection: $collection}) WHERE NOT n:Unrelated } AS related
