// Returns: before — what the ledger held under this name; it now holds the value.
// $name: extractor or embedder.
// $value: what is in use.
MERGE (m:Mark {name: $name})
WITH m, m.value AS before
SET m.value = $value
RETURN before
