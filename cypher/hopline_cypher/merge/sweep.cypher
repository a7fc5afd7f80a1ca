// Returns: nothing — of these entities those that nothing leads to are gone.
// $ids: ids of entities.
UNWIND $ids AS id
MATCH (e:Entity {id: id}) WHERE NOT EXISTS { (e)<--() }
DELETE e
