// Returns: nothing — what was learned for a strategy in a collection, in place of what was learned before.
// $name: name of the strategy.
// $collection: id of the collection.
// $values: as JSON.
MERGE (l:Learned {id: $collection + ':' + $name})
SET l.collection = $collection, l.name = $name, l.values = $values
