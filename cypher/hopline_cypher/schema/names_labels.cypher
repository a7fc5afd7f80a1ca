// Returns: nothing — creates labels of nodes: Neo4j does not cache the plan of a statement that has a name it does not know.
// $labels: the names.
UNWIND $labels AS name
CALL db.createLabel(name)
