// Returns: nothing — creates types of relationships, so that statements with them are planned once.
// $types: the names.
UNWIND $types AS name
CALL db.createRelationshipType(name)
