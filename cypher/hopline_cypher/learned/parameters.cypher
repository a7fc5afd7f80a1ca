// Returns: values — the learned parameters of a strategy in a collection, as JSON.
// $name: name of the strategy.
// $collection: id of the collection.
MATCH (l:Learned {id: $collection + ':' + $name})
RETURN l.values AS values
