// Returns: nothing — collections that another embedder has embedded are to be embedded again, and the ledger has the embedder in use; both at once.
// $embedder: name of the embedder.
MERGE (m:Mark {name: 'embedder'})
WITH m, m.value AS before
SET m.value = $embedder
WITH before WHERE before IS NOT NULL AND before <> $embedder
MATCH (c:Collection)
SET c:ToEmbed
