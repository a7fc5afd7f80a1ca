// Returns: nothing — stores the embedder in use; if it changed, all collections are marked to be embedded again. Both happen in one statement.
// $embedder: name of the embedder.
MERGE (m:Mark {name: 'embedder'})
WITH m, m.value AS before
SET m.value = $embedder
WITH before WHERE before IS NOT NULL AND before <> $embedder
MATCH (c:Collection)
SET c:ToEmbed
