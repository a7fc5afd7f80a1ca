// Returns: collection, merged, name — of one entity: where it is, whether it was merged into another, what it is called; no row where it is not there.
// $id: id of the entity.
MATCH (e:Entity|Merged {id: $id})
RETURN e.collection AS collection, e:Merged AS merged, e.name AS name
