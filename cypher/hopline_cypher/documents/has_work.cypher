// Returns: has_work — whether there is work for the worker.
// $embedder: name of the embedder in use.
RETURN EXISTS { (:Waiting) } OR EXISTS { (:Removed) } OR EXISTS { (:ToExtract) } OR EXISTS { (:ToEmbed) }
  OR EXISTS { (:Unread) } OR EXISTS { (:Unembedded) } OR EXISTS { (:Unsettled) } OR EXISTS { (:UnembeddedTriple) }
  OR EXISTS { (:UnembeddedEntity) } OR EXISTS { (:Unrelated) } OR EXISTS { (:Unthemed) }
  OR EXISTS { MATCH (m:Mark {name: 'embedder'}) WHERE m.value <> $embedder } AS has_work
