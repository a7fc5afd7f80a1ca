// Returns: nothing — index of entities by collection.
CREATE INDEX entity_collection IF NOT EXISTS FOR (n:Entity) ON (n.collection)
