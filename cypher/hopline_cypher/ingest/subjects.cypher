// Returns: id, name — those of the entities that evidence is about, directly or through the entity that they were merged into.
// $entities: ids of entities; ids that do not exist are ignored.
UNWIND $entities AS id
MATCH (e:Entity|Merged {id: id})
WHERE EXISTS { (e)<-[:ABOUT]-() } OR EXISTS { (e)-[:MERGED_INTO*]->(:Entity)<-[:ABOUT]-() }
RETURN e.id AS id, e.name AS name
