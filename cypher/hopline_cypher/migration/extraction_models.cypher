// Returns: nothing — sets the extraction model of collections that have none: the model that extracted all of them, which the mark names after "model-1 ", or rules.
OPTIONAL MATCH (m:Mark {name: 'extractor'}) WHERE m.value STARTS WITH 'model'
WITH CASE WHEN m IS NULL THEN '' ELSE trim(substring(m.value, size(split(m.value, ' ')[0]))) END AS model
MATCH (c:Collection) WHERE c.extraction_model IS NULL
SET c.extraction_model = model
