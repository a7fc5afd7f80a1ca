// Returns: nothing — marks a triple or entity that cannot be embedded with the reason; it gets no vector.
// $id: id of the node.
// $reason: error message for the user.
OPTIONAL MATCH (t:Triple {id: $id})
OPTIONAL MATCH (e:Entity {id: $id})
FOREACH (n IN [n IN [t, e] WHERE n IS NOT NULL] | SET n.failure = $reason REMOVE n:UnembeddedTriple:UnembeddedEntity)
