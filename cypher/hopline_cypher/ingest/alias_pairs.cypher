// Returns: document, id, pairs — aliases defined in documents, by the evidence that defines them; pairs: alias, name, alias, name …
// $documents: ids of documents.
UNWIND $documents AS document
MATCH (p:Evidence {document: document}) WHERE size(p.alias_pairs) > 0 AND p.extractor IS NOT NULL
RETURN document, p.id AS id, p.alias_pairs AS pairs
