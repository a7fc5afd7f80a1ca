// Returns: collection, merged, name — collection, merge state and name of one entity; no row if it does not exist.
// $id: id of the entity.
MATCH (e:Entity|Merged {id: $id})
RETURN e.collection AS collection, e:Merged AS merged, e.name AS name
