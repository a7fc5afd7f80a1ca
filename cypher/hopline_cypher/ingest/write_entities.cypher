// Returns: nothing — entities, made or found, which wait to be settled; one that was merged into another stays as it is.
// $entities: rows of id, collection, name, kind, named, aliases, search; sorted by id, so that writers take locks in one order.
UNWIND $entities AS row
WITH row WHERE NOT EXISTS { (:Merged {id: row.id}) }
MERGE (e:Entity {id: row.id})
  ON CREATE SET e.collection = row.collection, e.name = row.name, e.kind = row.kind, e.aliases = row.aliases,
    e.search = row.search, e.named = row.named, e.joins = false
SET e:Unsettled
