// Returns: nothing — evidence that is read, and is to be related.
// $rows: rows of id, extractor, warning.
UNWIND $rows AS row
MATCH (e:Evidence {id: row.id})
SET e.extractor = row.extractor, e.warning = row.warning
REMOVE e:Unread:Warned
SET e:Unrelated
FOREACH (_ IN CASE WHEN row.warning <> '' THEN [1] ELSE [] END | SET e:Warned)
