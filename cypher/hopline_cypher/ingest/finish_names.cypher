// Returns: nothing — names that older evidence has been searched for.
// $entities: their ids.
UNWIND $entities AS id
MATCH (e:Entity {id: id})
REMOVE e:Unlinked
SET e.linked = true
