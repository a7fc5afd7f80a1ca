// Returns: nothing — evidence that is read.
// $rows: rows of id, extractor, warning.
UNWIND $rows AS row
MATCH (e:Evidence {id: row.id})
SET e.extractor = row.extractor, e.warning = row.warning
REMOVE e:Unread
