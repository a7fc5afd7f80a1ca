// Returns: nothing — evidence that keeps what was extracted before, with a warning why it was not extracted again.
// $rows: rows of id, warning.
UNWIND $rows AS row
MATCH (e:Evidence {id: row.id})
SET e.warning = row.warning
SET e:Warned
REMOVE e:Unread
