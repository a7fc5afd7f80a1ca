// Returns: id — a file of rows that waits to become documents; no row where its collection is being removed.
// $collection: id of the collection.
// $name: name of the collection, if it is new.
// $extraction_model: name of the model that extracts in the collection, if it is new; empty: rules.
// $id: id of the file.
// $file: its name.
// $sha256: of its bytes.
// $titles: keep, ignore or drop.
MERGE (c:Collection {id: $collection})
  ON CREATE SET c.name = $name, c.extraction_model = $extraction_model
SET c.changed_at = timestamp()
WITH c WHERE NOT c:Removed
MERGE (f:Corpus {id: $id})
SET f:Waiting, f.collection = $collection, f.name = $file, f.sha256 = $sha256, f.rows = 0, f.titles = $titles,
  f.state = 'waiting', f.problems = []
RETURN f.id AS id
