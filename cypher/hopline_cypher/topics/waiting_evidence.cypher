// Returns: id, vector, themes — evidence that lacks topics, with its vector and the topic set of its collection.
// $embedding: name of the vector property.
// $limit: maximum number of rows.
MATCH (n:Unthemed) WHERE n[$embedding] IS NOT NULL
WITH n LIMIT $limit
OPTIONAL MATCH (c:Collection {id: n.collection})
RETURN n.id AS id, n[$embedding] AS vector, coalesce(c.themes, '') AS themes
