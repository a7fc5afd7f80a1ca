// Returns: id — the correction, which is stored and applied to its evidence; that waits for extraction and embedding. No row if the evidence has changed meanwhile, or if its document is being parsed or removed.
// $evidence: id of the passage or table.
// $search: its searched text so far.
// $correction: properties of the correction, with its id.
// $properties: the corrected properties of the evidence.
MATCH (e:Evidence {id: $evidence})
MATCH (d:Document {id: e.document})
SET d.changed_at = timestamp()
WITH e, d
OPTIONAL MATCH (f:Corpus {id: d.origin})
SET f.changed_at = timestamp()
WITH e, d, f WHERE NOT d:Waiting AND NOT d:Removed AND (f IS NULL OR NOT f:Waiting) AND e.search = $search
MERGE (k:Correction {id: $correction.id})
SET k = $correction
MERGE (k)-[:CORRECTS]->(e)
SET e += $properties, e:Unread:Unembedded
RETURN k.id AS id
