// Returns: waiting, remaining — number of waiting JSONL files of a collection, and of the documents that they are still to become, as far as known.
// $collection: id of the collection.
MATCH (f:Corpus&Waiting) WHERE f.collection = $collection
WITH f, f.rows - COUNT { MATCH (d:Document) WHERE d.origin = f.id AND d.origin_sha256 = f.sha256 AND NOT d:Removed } AS left
RETURN count(f) AS waiting, sum(CASE WHEN left > 0 THEN left ELSE 0 END) AS remaining
