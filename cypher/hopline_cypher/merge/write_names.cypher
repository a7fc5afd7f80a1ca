// Returns: nothing — names that merged entities are known by besides.
// $entities: rows of id, aliases, of which most are not merged.
UNWIND $entities AS row
MATCH (m:Merged {id: row.id})
WITH m, coalesce(m.own_aliases, m.aliases) AS known, row.aliases AS aliases
WITH m, [alias IN aliases WHERE NOT alias IN known] AS new WHERE size(new) > 0
SET m.aliases = m.aliases + new, m.own_aliases = m.own_aliases + new
