// Returns: rows of id, entity, name, text — what mentions these entities.
// $entities: ids of entities.
// $hub: an entity that more evidence mentions than this is left out.
// $documents: ids of the documents to look in; empty: all.
UNWIND $entities AS entity
MATCH (e:Entity {id: entity}) WHERE COUNT { (e)<-[:MENTIONS]-() } <= $hub
MATCH (e)<-[:MENTIONS]-(p:Evidence) WHERE size($documents) = 0 OR p.document IN $documents
WITH p, e ORDER BY p.id, e.id
RETURN collect([p.id, e.id, e.name, p.text]) AS rows
