// Returns: nothing — index of documents by collection.
CREATE INDEX document_collection IF NOT EXISTS FOR (n:Document) ON (n.collection)
