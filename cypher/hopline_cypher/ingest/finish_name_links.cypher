// Returns: nothing — marks names as searched for in older evidence.
// $entities: ids of the entities.
UNWIND $entities AS id
MATCH (e:Entity {id: id})
REMOVE e:Unlinked
SET e.linked = true
