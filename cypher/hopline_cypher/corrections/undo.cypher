// Returns: id — the correction, which is deleted; its evidence gets back what it replaced, and waits for extraction and embedding. No row if one of them has changed meanwhile, or if the document is being parsed or removed.
// $id: id of the correction.
// $saved: what it replaced, as JSON text, as it was when $properties was made from it.
// $properties: the properties that it replaced.
MATCH (k:Correction {id: $id})
MATCH (d:Document {id: k.document})
SET d.changed_at = timestamp()
WITH k, d
OPTIONAL MATCH (f:Corpus {id: d.origin})
SET f.changed_at = timestamp()
WITH k, d, f WHERE NOT d:Waiting AND NOT d:Removed AND (f IS NULL OR NOT f:Waiting) AND k.saved = $saved
OPTIONAL MATCH (k)-[:CORRECTS]->(e:Evidence)
FOREACH (n IN CASE WHEN e IS NULL THEN [] ELSE [e] END | SET n += $properties, n:Unread:Unembedded)
WITH k, k.id AS id
DETACH DELETE k
RETURN id
