// Returns: removed — how many triples, entities and pages that nothing leads to are gone now.
// $limit: nodes of each kind at most.
CALL () {
  MATCH (t:UnembeddedTriple) WHERE NOT EXISTS { (t)<-[:STATES]-() }
  WITH t LIMIT $limit
  DETACH DELETE t
  RETURN count(*) AS triples
}
CALL () {
  MATCH (e:UnembeddedEntity) WHERE NOT EXISTS { (e)<--() }
  WITH e LIMIT $limit
  DELETE e
  RETURN count(*) AS entities
}
RETURN triples + entities AS removed
