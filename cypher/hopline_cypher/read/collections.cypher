// Returns: id, name, documents, passages — every collection.
MATCH (c:Collection)
OPTIONAL MATCH (c)-[:HAS_DOCUMENT]->(d:Document)
RETURN c.id AS id, c.name AS name, count(d) AS documents, coalesce(sum(d.passages), 0) AS passages ORDER BY name
