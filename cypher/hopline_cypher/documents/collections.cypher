// Returns: id, name, documents, passages, extraction_model, tables — all collections; extraction_model: the extraction model, empty for rules.
MATCH (c:Collection) WHERE NOT c:Removed AND NOT c:Importing
OPTIONAL MATCH (c)-[:HAS_DOCUMENT]->(d:Document)
RETURN c.id AS id, c.name AS name, count(d) AS documents, coalesce(sum(d.passages), 0) AS passages,
  coalesce(c.extraction_model, '') AS extraction_model, coalesce(sum(d.tables), 0) AS tables ORDER BY name
