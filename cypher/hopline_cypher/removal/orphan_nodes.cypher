// Returns: removed — number of deleted triples and entities that have no incoming edge.
// $limit: maximum number of nodes of each kind per call.
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
