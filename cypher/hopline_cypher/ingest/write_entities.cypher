// Returns: nothing — entities, with the aliases that they are known by; one that was merged into another stays as it is.
// $entities: rows of id, collection, name, kind, named, aliases, search; sorted by id, so that writers take locks in one order.
UNWIND $entities AS row
WITH row WHERE NOT EXISTS { (:Merged {id: row.id}) }
MERGE (e:Entity {id: row.id})
  ON CREATE SET e.collection = row.collection, e.name = row.name, e.kind = row.kind, e.aliases = row.aliases,
    e.search = row.search, e.named = false, e.joins = false
FOREACH (_ IN CASE WHEN row.named AND NOT e.named THEN [1] ELSE [] END |
  SET e.named = true, e.kind = row.kind)
FOREACH (_ IN CASE WHEN row.named AND NOT e.own_named THEN [1] ELSE [] END |
  SET e.own_named = true, e.own_kind = row.kind)
FOREACH (_ IN CASE WHEN all(alias IN row.aliases WHERE alias IN e.aliases) THEN [] ELSE [1] END |
  SET e.own_aliases = e.own_aliases + [alias IN row.aliases WHERE NOT alias IN e.aliases],
    e.aliases = e.aliases + [alias IN row.aliases WHERE NOT alias IN e.aliases],
    e.search = e.name + ' ' + reduce(text = '', alias IN e.aliases + row.aliases | text + ' ' + alias))
