// Returns: rows of id, spans — passages that mention an entity and whose text matches an expression, with the character spans of the mentions: start, end, start, end, …
// $id: id of the entity.
// $pattern: regular expression of whole texts.
// $sample: maximum number of passages that are searched, by id.
// $limit: maximum number of rows.
// $excluded: ids of documents that are being removed; they are excluded.
MATCH (:Entity {id: $id})<-[m:MENTIONS]-(n:Evidence&Passage) WHERE NOT n.document IN $excluded
WITH n, m ORDER BY n.id LIMIT $sample
WITH n, m WHERE n.text =~ $pattern
WITH n, m LIMIT $limit
RETURN collect([n.id, coalesce(m.spans, [])]) AS rows
