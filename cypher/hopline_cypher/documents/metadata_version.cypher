// Returns: documents, files, changed — numbers of documents and JSONL files of a collection, and the sum of the times of their last changes, which differs after each change of one.
// $collection: id of the collection.
MATCH (d:Document {collection: $collection}) WHERE NOT d:Removed
WITH count(d) AS documents, sum(coalesce(d.changed_at, 0)) AS changed
OPTIONAL MATCH (f:Corpus {collection: $collection})
WITH documents, changed, count(f) AS files, sum(coalesce(f.changed_at, 0)) AS changed_files
RETURN documents, files, changed + changed_files AS changed
