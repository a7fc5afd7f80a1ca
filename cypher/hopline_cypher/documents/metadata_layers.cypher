// Returns: id, read, stated, origin_side, origin_given, side, given — layers of metadata of documents and JSONL files, as JSON texts; those of its JSONL file for a document that its rows form.
// $ids: ids of documents and JSONL files.
UNWIND $ids AS id
MATCH (n:Document|Corpus {id: id}) WHERE NOT n:Removed
OPTIONAL MATCH (f:Corpus {id: n.origin})
RETURN n.id AS id, coalesce(n.metadata_read, '') AS read, coalesce(n.metadata_stated, '') AS stated, coalesce(f.metadata_side, '') AS origin_side, coalesce(f.metadata_given, '') AS origin_given,
  coalesce(n.metadata_side, '') AS side, coalesce(n.metadata_given, '') AS given
