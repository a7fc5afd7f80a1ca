// Returns: entities — lists of ids, for each evidence that mentions at least two of the given entities those that it mentions.
// $ids: ids of entities.
// $each: maximum number of evidence of one entity, by id.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $ids AS id
MATCH (e:Entity {id: id})
CALL (e) {
  MATCH (e)<-[:MENTIONS]-(n:Evidence) WHERE NOT n.document IN $excluded
  RETURN n ORDER BY n.id LIMIT $each
}
WITH DISTINCT n
MATCH (n)-[:MENTIONS]->(e:Entity) WHERE e.id IN $ids
WITH n, collect(e.id) AS entities WHERE size(entities) > 1
RETURN entities ORDER BY n.id
