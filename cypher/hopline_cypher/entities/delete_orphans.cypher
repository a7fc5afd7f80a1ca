// Returns: nothing — deletes those of the entities that have no incoming edges.
// $ids: ids of entities.
UNWIND $ids AS id
MATCH (e:Entity {id: id}) WHERE NOT EXISTS { (e)<--() }
DELETE e
