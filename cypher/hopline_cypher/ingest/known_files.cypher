// Returns: id, name, path, sha256 — documents and JSONL files of a collection, by id or path; path: where the file was added from, empty if it is not known; sha256: of the content that was added last.
// $collection: id of the collection.
// $ids: ids of documents and JSONL files.
// $paths: paths of files.
CALL () {
  MATCH (d:Document) WHERE d.id IN $ids AND d.collection = $collection RETURN d AS file
  UNION
  MATCH (d:Document) WHERE d.path IN $paths AND d.collection = $collection RETURN d AS file
  UNION
  MATCH (f:Corpus) WHERE f.collection = $collection AND (f.id IN $ids OR f.path IN $paths) RETURN f AS file
}
WITH file WHERE NOT file:Removed
RETURN file.id AS id, file.name AS name, coalesce(file.path, '') AS path,
  CASE WHEN coalesce(file.waiting_sha256, '') <> '' THEN file.waiting_sha256 ELSE coalesce(file.sha256, '') END AS sha256
