// Returns: nothing — index of corrections by document.
CREATE INDEX correction_document IF NOT EXISTS FOR (n:Correction) ON (n.document)
