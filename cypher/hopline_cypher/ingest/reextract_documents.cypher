// Returns: nothing — marks the extracted evidence of documents as waiting for extraction, because an alias means another name there now.
// $documents: ids of documents.
// $except: ids of evidence that was extracted with the new meaning.
UNWIND $documents AS document
MATCH (p:Evidence {document: document}) WHERE p.extractor IS NOT NULL AND NOT p.id IN $except
SET p:Unread
