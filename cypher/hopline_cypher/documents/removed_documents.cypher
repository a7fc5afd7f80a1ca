// Returns: id — documents that are being removed, of every collection.
MATCH (d:Document&Removed)
RETURN d.id AS id
