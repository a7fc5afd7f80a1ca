// Returns: id — id of the JSONL file, which waits for parsing or has failed; no row if its collection is being removed, or if it was added from another path meanwhile.
// $collection: id of the collection.
// $name: name of the collection; used if it is new.
// $extraction_model: name of the collection's extraction model; used if it is new; empty: rules.
// $id: id of the JSONL file.
// $file: name of the file.
// $sha256: SHA-256 of its bytes.
// $path: path of the file; empty: not known.
// $known_path: path of the JSONL file so far; empty: not known, or a new file.
// $titles: how titles are handled: keep, ignore or drop.
// $reason: why it cannot be read; empty: it can be read.
MERGE (c:Collection {id: $collection})
  ON CREATE SET c.name = $name, c.extraction_model = $extraction_model
SET c.changed_at = timestamp()
WITH c WHERE NOT c:Removed AND NOT c:Importing
MERGE (f:Corpus {id: $id})
SET f.changed_at = timestamp()
WITH f, coalesce(f.path, '') AS known_path WHERE $path = '' OR known_path IN ['', $path, $known_path]
SET f.collection = $collection, f.name = $file, f.titles = $titles, f.path = CASE WHEN $path = '' THEN known_path ELSE $path END
FOREACH (_ IN CASE WHEN $reason = '' THEN [1] ELSE [] END |
  SET f:Waiting, f.sha256 = $sha256, f.rows = 0, f.state = 'waiting', f.problems = [])
FOREACH (_ IN CASE WHEN $reason <> '' AND NOT f:Waiting THEN [1] ELSE [] END |
  SET f.state = 'failed', f.problems = [$reason])
RETURN f.id AS id
