// Returns: gone — ids of documents that the file holds no longer, which are to be removed; no row where another version of the file waits by now.
// $id: id of the file.
// $sha256: of the bytes that were read.
// $titles: keep, ignore or drop, as they were read.
// $problems: bad rows in words.
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
RETURN collect(d.id) AS gone
