// Returns: name, passages, warning — documents with passages that were processed with a warning, the number of these passages, and one warning.
// $ids: ids of documents and of JSONL files.
MATCH (e:Warned)
MATCH (d:Document {id: e.document}) WHERE d.id IN $ids OR d.origin IN $ids
RETURN d.name AS name, count(e) AS passages,
  min(CASE WHEN coalesce(e.failure, '') <> '' THEN e.failure ELSE e.warning END) AS warning ORDER BY name
