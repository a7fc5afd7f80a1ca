// Returns: id, name — of these entities those that evidence is about, themselves or as what they were merged into.
// $entities: ids, of which many need not exist.
UNWIND $entities AS id
MATCH (e:Entity|Merged {id: id})
WHERE EXISTS { (e)<-[:ABOUT]-() } OR EXISTS { (e)-[:MERGED_INTO*]->(:Entity)<-[:ABOUT]-() }
RETURN e.id AS id, e.name AS name
