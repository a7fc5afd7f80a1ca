// Returns: id — evidence by its id or the id that its row had, in the order of what was asked.
// $wanted: ids.
// $collection: id of the collection.
// $documents: ids of the documents that may be reached; empty: all.
MATCH (e:Evidence {collection: $collection})
WHERE (e.source_id IN $wanted OR e.id IN $wanted) AND (size($documents) = 0 OR e.document IN $documents)
WITH e, [n IN range(0, size($wanted) - 1) WHERE $wanted[n] IN [e.source_id, e.id]][0] AS place
RETURN e.id AS id ORDER BY place, id
