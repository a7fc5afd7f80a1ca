// Returns: nothing — marks evidence as extracted and as waiting for its nearest neighbours. What was corrected meanwhile is extracted again.
// $rows: rows of id, extractor, warning, aliases (alias, name, alias, name …), citations (keys of references, null if there are none), and optionally corrected_at, the time of the correction that was extracted.
UNWIND $rows AS row
MATCH (e:Evidence {id: row.id})
SET e.extractor = row.extractor, e.warning = row.warning, e.alias_pairs = row.aliases, e.citations = row.citations
REMOVE e:Warned
FOREACH (_ IN CASE WHEN coalesce(e.corrected_at, 0) = coalesce(row.corrected_at, 0) THEN [1] ELSE [] END | REMOVE e:Unread)
SET e:Unrelated
FOREACH (_ IN CASE WHEN row.warning <> '' OR coalesce(e.failure, '') <> '' THEN [1] ELSE [] END | SET e:Warned)
