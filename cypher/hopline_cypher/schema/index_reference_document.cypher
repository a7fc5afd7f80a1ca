// Returns: nothing — index of references by the document that lists them.
CREATE INDEX reference_document IF NOT EXISTS FOR (n:Reference) ON (n.document)
