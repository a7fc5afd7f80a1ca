// Returns: id — evidence whose id or source id is in the list, in the order of the list.
// $wanted: ids or source ids.
// $collection: id of the collection.
// $documents: ids of the documents to search; empty: all.
// $excluded: ids of documents that are being removed; they are excluded.
MATCH (e:Evidence {collection: $collection})
WHERE (e.source_id IN $wanted OR e.id IN $wanted) AND NOT e.document IN $excluded AND (size($documents) = 0 OR e.document IN $documents)
WITH e, [n IN range(0, size($wanted) - 1) WHERE $wanted[n] IN [e.source_id, e.id]][0] AS position
RETURN e.id AS id ORDER BY position, id
