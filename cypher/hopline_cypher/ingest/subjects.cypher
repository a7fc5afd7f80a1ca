// Returns: id, name — of these entities those that evidence is about.
// $entities: ids, of which many need not exist.
UNWIND $entities AS id
MATCH (e:Entity {id: id}) WHERE EXISTS { (e)<-[:ABOUT]-() }
RETURN e.id AS id, e.name AS name
