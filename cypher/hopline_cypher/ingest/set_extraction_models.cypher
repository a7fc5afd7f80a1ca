// Returns: nothing — sets the extraction model of collections from versions without one per collection to the model that extracted all of them, if there was one.
// $prefix: prefix of the extractor mark of a model; the model's name follows after a space.
MATCH (m:Mark {name: 'extractor'}) WHERE m.value STARTS WITH $prefix
MATCH (c:Collection) WHERE c.extraction_model IS NULL
SET c.extraction_model = trim(substring(m.value, size(split(m.value, ' ')[0])))
