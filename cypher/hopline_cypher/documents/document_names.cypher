// Returns: id, name — documents of a collection by name or id.
// $collection: id of the collection.
// $names: names or ids.
MATCH (d:Document {collection: $collection}) WHERE NOT d:Removed AND (d.name IN $names OR d.id IN $names)
RETURN d.id AS id, d.name AS name
