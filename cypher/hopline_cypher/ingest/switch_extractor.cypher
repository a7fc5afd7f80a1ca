// Returns: nothing — stores the extraction rules in use; if they changed, all collections extracted by rules are marked to be extracted again. Both happen in one statement.
// $extractor: name and version of the rules.
MERGE (m:Mark {name: 'extractor'})
WITH m, m.value AS before
SET m.value = $extractor
WITH before WHERE before IS NOT NULL AND before <> $extractor
MATCH (c:Collection) WHERE coalesce(c.extraction_model, '') = ''
SET c:ToExtract
