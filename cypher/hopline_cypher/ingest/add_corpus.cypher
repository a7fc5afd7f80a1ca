// Returns: id — a file of rows that waits to become documents, or has failed; no row where its collection is being removed.
// $collection: id of the collection.
// $name: name of the collection, if it is new.
// $extraction_model: name of the model that extracts in the collection, if it is new; empty: rules.
// $id: id of the file.
// $file: its name.
// $sha256: of its bytes.
// $titles: keep, ignore or drop.
// $reason: why it cannot be read; empty: it can.
MERGE (c:Collection {id: $collection})
  ON CREATE SET c.name = $name, c.extraction_model = $extraction_model
SET c.changed_at = timestamp()
WITH c WHERE NOT c:Removed
MERGE (f:Corpus {id: $id})
SET f.collection = $collection, f.name = $file, f.titles = $titles
FOREACH (_ IN CASE WHEN $reason = '' THEN [1] ELSE [] END |
  SET f:Waiting, f.sha256 = $sha256, f.rows = 0, f.state = 'waiting', f.problems = [])
FOREACH (_ IN CASE WHEN $reason <> '' AND NOT f:Waiting THEN [1] ELSE [] END |
  SET f.state = 'failed', f.problems = [$reason])
RETURN f.id AS id
