// Returns: id, vector, themes — evidence that lacks its themes, with its vector and the set that its collection has.
// $embedding: name of the vector property.
// $limit: rows at most.
MATCH (n:Unthemed) WHERE n[$embedding] IS NOT NULL
WITH n LIMIT $limit
OPTIONAL MATCH (c:Collection {id: n.collection})
RETURN n.id AS id, n[$embedding] AS vector, coalesce(c.themes, '') AS themes
