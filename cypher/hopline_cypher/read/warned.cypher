// Returns: name, passages, warning — documents of which passages were read with less than was wanted, and one of the reasons.
// $ids: ids of documents and of files of rows.
MATCH (e:Warned)
MATCH (d:Document {id: e.document}) WHERE d.id IN $ids OR d.origin IN $ids
RETURN d.name AS name, count(e) AS passages,
  min(CASE WHEN coalesce(e.failure, '') <> '' THEN e.failure ELSE e.warning END) AS warning ORDER BY name
