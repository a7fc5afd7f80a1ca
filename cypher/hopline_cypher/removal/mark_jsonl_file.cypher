// Returns: removed — ids of the documents of a JSONL file, which is deleted; they are hidden from now on and marked for removal. No row if there is no such file.
// $id: id of the JSONL file.
MATCH (f:Corpus {id: $id})
SET f.changed_at = timestamp()
WITH f
OPTIONAL MATCH (d:Document {origin: f.id}) WHERE NOT d:Removed
OPTIONAL MATCH (:Collection)-[has:HAS_DOCUMENT]->(d)
DELETE has
FOREACH (_ IN CASE WHEN d IS NULL THEN [] ELSE [1] END | SET d:Removed)
WITH f, collect(d.id) AS removed
DETACH DELETE f
RETURN removed
