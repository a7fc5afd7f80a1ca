// Returns: nothing — stores that two entities are not the same; the pair is not suggested again.
// $id: id of the pair.
// $collection: id of the collection.
// $one: id of the first entity.
// $other: id of the second entity.
// $names: their names.
MERGE (r:Refused {id: $id})
SET r.collection = $collection, r.one = $one, r.other = $other, r.names = $names, r.at = timestamp()
