// Returns: nothing — the evidence of documents that was read before waits to be read again, since a name means something else there now.
// $documents: ids of documents.
// $except: ids of evidence that was read with the new meaning.
UNWIND $documents AS document
MATCH (p:Evidence {document: document}) WHERE p.extractor IS NOT NULL AND NOT p.id IN $except
SET p:Unread
