// Returns: nothing — two entities are not the same; nobody suggests it again.
// $id: id of the pair.
// $collection: id of the collection.
// $one: id of the one entity.
// $other: id of the other.
// $names: their names.
MERGE (r:Refused {id: $id})
SET r.collection = $collection, r.one = $one, r.other = $other, r.names = $names, r.at = timestamp()
