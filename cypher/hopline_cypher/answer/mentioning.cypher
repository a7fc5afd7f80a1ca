// Returns: id, entity, name, text — what mentions these entities.
// $entities: ids of entities.
// $hub: an entity that more evidence mentions than this is left out.
// $documents: ids of the documents to look in; empty: all.
UNWIND $entities AS entity
MATCH (e:Entity {id: entity}) WHERE COUNT { (e)<-[:MENTIONS]-() } <= $hub
MATCH (e)<-[:MENTIONS]-(p:Evidence) WHERE size($documents) = 0 OR p.document IN $documents
RETURN p.id AS id, e.id AS entity, e.name AS name, p.text AS text ORDER BY id, entity
