// Returns: collection, merged — of one entity: where it is, and whether it was merged into another; no row where it is not there.
// $id: id of the entity.
MATCH (e:Entity|Merged {id: $id})
RETURN e.collection AS collection, e:Merged AS merged
