// Returns: related — whether a collection holds evidence that is related already.
// $collection: id of the collection.
RETURN EXISTS { MATCH (n:Evidence {collection: $collection}) WHERE NOT n:Unrelated } AS related
