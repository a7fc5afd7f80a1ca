// Returns: nothing — creates types of relationships: Neo4j does not cache the plan of a statement that has a name it does not know.
// $types: the names.
UNWIND $types AS name
CALL db.createRelationshipType(name)
