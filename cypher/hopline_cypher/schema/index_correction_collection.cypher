// Returns: nothing — index of corrections by collection.
CREATE INDEX correction_collection IF NOT EXISTS FOR (n:Correction) ON (n.collection)
