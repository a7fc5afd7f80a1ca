// Returns: rows of id — evidence of a collection that has a vector.
// $collection: id of the collection.
// $embedding: name of the vector property.
MATCH (n:Evidence {collection: $collection}) WHERE n[$embedding] IS NOT NULL
RETURN collect([n.id]) AS rows
