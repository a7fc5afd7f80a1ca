// Returns: nothing — index of evidence by document.
CREATE INDEX evidence_document IF NOT EXISTS FOR (n:Evidence) ON (n.document)
