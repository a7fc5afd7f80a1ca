// Returns: removed — ids of documents that the file no longer contains; they are marked for removal. No row if another version of the file waits by now.
// $id: id of the JSONL file.
// $sha256: SHA-256 of the bytes that were parsed.
// $titles: how titles were handled when parsing: keep, ignore or drop.
// $problems: error messages of bad rows.
MATCH (f:Corpus {id: $id})
SET f.changed_at = timestamp()
WITH f WHERE f:Waiting AND f.sha256 = $sha256 AND f.titles = $titles
SET f.problems = $problems, f.state = 'ready'
REMOVE f:Waiting
WITH f
OPTIONAL MATCH (d:Document {origin: f.id}) WHERE coalesce(d.origin_sha256, '') <> $sha256 AND NOT d:Removed
OPTIONAL MATCH (:Collection)-[has:HAS_DOCUMENT]->(d)
DELETE has
FOREACH (_ IN CASE WHEN d IS NULL THEN [] ELSE [1] END | SET d:Removed)
WITH f, collect(d.id) AS removed
RETURN removed
