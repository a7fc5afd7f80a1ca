// Returns: nothing — creates or finds entities and marks them for an update; merged entities are not changed.
// $entities: rows of id, collection, name, kind, named, aliases, search; sorted by id, so that writers acquire locks in one order.
UNWIND $entities AS row
WITH row WHERE NOT EXISTS { (:Merged {id: row.id}) }
MERGE (e:Entity {id: row.id})
  ON CREATE SET e.collection = row.collection, e.name = row.name, e.kind = row.kind, e.aliases = row.aliases,
    e.search = row.search, e.named = row.named, e.joins = false
SET e:Unsettled
