// Returns: id, collection, name, kind, correction, saved — one entity that was not merged into another; correction, saved: the id of its correction, and its name and kind without it as JSON text; empty: none.
// $id: id of the entity.
MATCH (e:Entity {id: $id})
OPTIONAL MATCH (k:Correction {entity: e.id})
RETURN e.id AS id, e.collection AS collection, e.name AS name, coalesce(e.kind, '') AS kind, coalesce(k.id, '') AS correction,
  coalesce(k.saved, '') AS saved
