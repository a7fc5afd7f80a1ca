// Returns: id, name, path, is_jsonl — documents and JSONL files of a collection that were added from these folders, ordered by name.
// $collection: id of the collection.
// $folders: paths of folders; each ends with a separator.
UNWIND $folders AS folder
CALL (folder) {
  MATCH (d:Document) WHERE d.path STARTS WITH folder AND d.collection = $collection RETURN d AS file
  UNION
  MATCH (f:Corpus) WHERE f.path STARTS WITH folder AND f.collection = $collection RETURN f AS file
}
WITH DISTINCT file WHERE NOT file:Removed
RETURN file.id AS id, file.name AS name, file.path AS path, file:Corpus AS is_jsonl ORDER BY name, id
