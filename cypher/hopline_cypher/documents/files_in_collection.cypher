// Returns: id, name — documents and JSONL files of a collection, among given ids.
// $collection: id of the collection.
// $ids: ids of documents and of JSONL files.
CALL () {
  UNWIND $ids AS id MATCH (d:Document {id: id}) WHERE d.collection = $collection AND NOT d:Removed RETURN d AS file
  UNION
  UNWIND $ids AS id MATCH (f:Corpus {id: id}) WHERE f.collection = $collection AND NOT f:Removed RETURN f AS file
}
RETURN file.id AS id, file.name AS name
