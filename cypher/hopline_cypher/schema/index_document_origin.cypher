// Returns: nothing — index of documents by the JSONL file that they come from.
CREATE INDEX document_origin IF NOT EXISTS FOR (n:Document) ON (n.origin)
