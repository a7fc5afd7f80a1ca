// Returns: nothing — creates names of properties, so that statements with them are planned once.
// $properties: the names.
UNWIND $properties AS name
CALL db.createProperty(name)
