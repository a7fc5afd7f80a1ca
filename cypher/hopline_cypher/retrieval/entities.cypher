// Returns: rows of id, name, aliases, kind, mentioned — entities by id, with the number of evidence that mentions each.
// $entities: ids of entities.
UNWIND $entities AS entity
MATCH (e:Entity {id: entity})
RETURN collect([e.id, e.name, e.aliases, e.kind, COUNT { (e)<-[:MENTIONS]-() }]) AS rows
