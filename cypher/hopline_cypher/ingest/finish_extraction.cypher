// Returns: nothing — marks evidence as extracted and as waiting for its nearest neighbours.
// $rows: rows of id, extractor, warning, aliases (alias, name, alias, name …), citations (keys of references, null if there are none).
UNWIND $rows AS row
MATCH (e:Evidence {id: row.id})
SET e.extractor = row.extractor, e.warning = row.warning, e.alias_pairs = row.aliases, e.citations = row.citations
REMOVE e:Unread:Warned
SET e:Unrelated
FOREACH (_ IN CASE WHEN row.warning <> '' OR coalesce(e.failure, '') <> '' THEN [1] ELSE [] END | SET e:Warned)
