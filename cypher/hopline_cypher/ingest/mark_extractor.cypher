// Returns: nothing — collections whose evidence other rules have read are to be read again, and the ledger has the rules in use; both at once.
// $extractor: name and version of the rules.
MERGE (m:Mark {name: 'extractor'})
WITH m, m.value AS before
SET m.value = $extractor
WITH before WHERE before IS NOT NULL AND before <> $extractor
MATCH (c:Collection) WHERE coalesce(c.extraction_model, '') = ''
SET c:ToExtract
