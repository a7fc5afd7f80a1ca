// Returns: id, name — of these entities those that evidence is about; one that was merged is given as the one it is now, under its own name.
// $entities: ids, of which many need not exist.
UNWIND $entities AS id
MATCH (e:Entity|Merged {id: id})
OPTIONAL MATCH (e)-[:MERGED_INTO*]->(now:Entity)
WITH e.name AS name, coalesce(now, e) AS e WHERE EXISTS { (e)<-[:ABOUT]-() }
RETURN e.id AS id, name
