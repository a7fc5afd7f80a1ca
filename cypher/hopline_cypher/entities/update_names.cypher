// Returns: nothing — updates names, aliases and kind of entities from their own and those of the entities merged into them; an entity is of a named kind if one of these is.
// $ids: ids of entities that have or had merged entities.
UNWIND $ids AS id
MATCH (e:Entity|Merged {id: id}) WHERE e.own_aliases IS NOT NULL
OPTIONAL MATCH (m:Merged)-[:MERGED_INTO*]->(e)
WITH e, m ORDER BY m.id
WITH e, collect(m) AS merged
WITH e, [m IN merged WHERE coalesce(m.own_named, m.named)] AS named,
  reduce(names = e.own_aliases, m IN merged |
    names + [name IN [m.name] + coalesce(m.own_aliases, m.aliases) WHERE name <> e.name AND NOT name IN names]) AS aliases
SET e.aliases = aliases, e.search = reduce(text = e.name, alias IN aliases | text + ' ' + alias),
  e.named = e.own_named OR size(named) > 0,
  e.kind = CASE WHEN e.own_named OR size(named) = 0 THEN e.own_kind ELSE coalesce(named[0].own_kind, named[0].kind) END
