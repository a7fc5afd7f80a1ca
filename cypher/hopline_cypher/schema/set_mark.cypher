// Returns: before — the previous value of a mark; sets the new one.
// $name: name of the mark, such as extractor or embedder.
// $value: new value.
MERGE (m:Mark {name: $name})
WITH m, m.value AS before
SET m.value = $value
RETURN before
