// Returns: rows of one, other — pairs of entities whose merge was rejected.
// $collection: id of the collection.
MATCH (r:Refused {collection: $collection})
RETURN collect([r.one, r.other]) AS rows
