// Returns: id, name, side, given — JSONL files of a collection with their layers of metadata as JSON texts, which apply to the documents that their rows form.
// $collection: id of the collection.
MATCH (f:Corpus {collection: $collection})
RETURN f.id AS id, f.name AS name, coalesce(f.metadata_side, '') AS side, coalesce(f.metadata_given, '') AS given
