// Returns: name, pages, pages_done — documents that are being parsed now.
// $collection: id of the collection.
MATCH (d:Document&Waiting) WHERE d.collection = $collection AND d.pages_done > 0
RETURN d.name AS name, coalesce(d.pages_waiting, 0) AS pages, d.pages_done AS pages_done ORDER BY name LIMIT 5
