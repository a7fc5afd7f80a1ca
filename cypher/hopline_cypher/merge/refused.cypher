// Returns: rows of one, other — pairs of entities that were said to be different.
// $collection: id of the collection.
MATCH (r:Refused {collection: $collection})
RETURN collect([r.one, r.other]) AS rows
