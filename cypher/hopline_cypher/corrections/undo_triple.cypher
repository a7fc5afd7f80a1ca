// Returns: id — the correction of a triple, which is deleted. No row if the document is being parsed or removed.
// $id: id of the correction.
MATCH (k:Correction {id: $id, kind: 'triple'})
MATCH (d:Document {id: k.document})
SET d.changed_at = timestamp()
WITH k, d
OPTIONAL MATCH (f:Corpus {id: d.origin})
SET f.changed_at = timestamp()
WITH k, d, f WHERE NOT d:Waiting AND NOT d:Removed AND (f IS NULL OR NOT f:Waiting)
WITH k, k.id AS id
DELETE k
RETURN id
