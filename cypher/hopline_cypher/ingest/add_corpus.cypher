// Returns: id — a file of rows that waits to become documents.
// $collection: id of the collection.
// $name: name of the collection.
// $id: id of the file.
// $file: its name.
// $sha256: of its bytes.
// $rows: how many rows it has.
// $titles: keep, ignore or drop.
MERGE (c:Collection {id: $collection}) ON CREATE SET c.name = $name
MERGE (f:Corpus {id: $id})
SET f:Waiting, f.collection = $collection, f.name = $file, f.sha256 = $sha256, f.rows = $rows, f.titles = $titles,
  f.state = 'waiting', f.problems = []
RETURN f.id AS id
