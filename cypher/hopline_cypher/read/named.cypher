// Returns: rows of id, name, aliases, kind, mentioned — entities as the question may name them, and by how much evidence each is mentioned.
// $entities: ids of entities.
UNWIND $entities AS entity
MATCH (e:Entity {id: entity})
RETURN collect([e.id, e.name, e.aliases, e.kind, COUNT { (e)<-[:MENTIONS]-() }]) AS rows
