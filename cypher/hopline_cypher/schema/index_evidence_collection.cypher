// Returns: nothing — index of evidence by collection.
CREATE INDEX evidence_collection IF NOT EXISTS FOR (n:Evidence) ON (n.collection)
