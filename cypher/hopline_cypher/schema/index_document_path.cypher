// Returns: nothing — index of documents by the path of the file that they were added from.
CREATE INDEX document_path IF NOT EXISTS FOR (n:Document) ON (n.path)
