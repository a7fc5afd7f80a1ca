// Returns: id, vector — vectors of the evidence of a collection.
// $collection: id of the collection.
// $embedding: name of the vector property.
MATCH (n:Evidence {collection: $collection}) WHERE n[$embedding] IS NOT NULL
RETURN n.id AS id, n[$embedding] AS vector
