// Returns: nothing — creates names of properties: Neo4j does not cache the plan of a statement that has a name it does not know.
// $properties: the names.
UNWIND $properties AS name
CALL db.createProperty(name)
