// Returns: passages, documents — for each group of entities, in their order, the numbers of evidence that mentions any of them, and of its documents.
// $groups: lists of ids of entities.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND range(0, size($groups) - 1) AS number
CALL (number) {
  UNWIND $groups[number] AS id
  MATCH (:Entity {id: id})<-[:MENTIONS]-(n:Evidence) WHERE NOT n.document IN $excluded
  RETURN count(DISTINCT n) AS passages, count(DISTINCT n.document) AS documents
}
RETURN passages, documents ORDER BY number
