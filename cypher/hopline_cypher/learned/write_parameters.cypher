// Returns: nothing — writes the learned parameters of a strategy in a collection; replaces earlier ones.
// $name: name of the strategy.
// $collection: id of the collection.
// $values: parameters as JSON.
MERGE (l:Learned {id: $collection + ':' + $name})
SET l.collection = $collection, l.name = $name, l.values = $values
