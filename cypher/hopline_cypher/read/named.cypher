// Returns: id, name, aliases, kind, mentioned — entities as the question may name them, and by how much evidence each is mentioned.
// $entities: ids of entities.
UNWIND $entities AS entity
MATCH (e:Entity {id: entity})
RETURN e.id AS id, e.name AS name, e.aliases AS aliases, e.kind AS kind, COUNT { (e)<-[:MENTIONS]-() } AS mentioned
