// Returns: nothing — marks evidence that retains its earlier extraction with a warning why it was not extracted again.
// $rows: rows of id, warning.
UNWIND $rows AS row
MATCH (e:Evidence {id: row.id})
SET e.warning = row.warning
SET e:Warned
REMOVE e:Unread
