// Returns: rows of id, name, passages — documents that mention an entity, and the number of their evidence that does, by descending number.
// $id: id of the entity.
// $limit: maximum number of rows.
// $excluded: ids of documents that are being removed; they are excluded.
MATCH (:Entity {id: $id})<-[:MENTIONS]-(n:Evidence) WHERE NOT n.document IN $excluded
WITH n.document AS document, count(n) AS passages
MATCH (d:Document {id: document})
WITH d, passages ORDER BY passages DESC, d.name, d.id LIMIT $limit
RETURN collect([d.id, d.name, passages]) AS rows
