// Returns: nothing — creates labels of nodes, so that statements with them are planned once.
// $labels: the names.
UNWIND $labels AS name
CALL db.createLabel(name)
