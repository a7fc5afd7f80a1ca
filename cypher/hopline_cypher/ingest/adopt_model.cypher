// Returns: nothing — collections of before each had an extractor of its own have the model that extracted in all of them, if one did.
// $prefix: how the ledger calls a model's extractor: what is behind it, and a space, is the model's name.
MATCH (m:Mark {name: 'extractor'}) WHERE m.value STARTS WITH $prefix
MATCH (c:Collection) WHERE c.extraction_model IS NULL
SET c.extraction_model = trim(substring(m.value, size(split(m.value, ' ')[0])))
