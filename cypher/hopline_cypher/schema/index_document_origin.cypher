// Returns: nothing — documents by the corpus file that they came from.
CREATE INDEX document_origin IF NOT EXISTS FOR (n:Document) ON (n.origin)
