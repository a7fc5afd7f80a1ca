// Returns: nothing — adds aliases to merged entities.
// $entities: rows of id, aliases; entities that are not merged are ignored.
UNWIND $entities AS row
MATCH (m:Merged {id: row.id})
WITH m, coalesce(m.own_aliases, m.aliases) AS known, row.aliases AS aliases
WITH m, [alias IN aliases WHERE NOT alias IN known] AS new WHERE size(new) > 0
SET m.aliases = m.aliases + new, m.own_aliases = m.own_aliases + new
