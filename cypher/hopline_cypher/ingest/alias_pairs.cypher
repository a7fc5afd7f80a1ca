// Returns: document, id, pairs — which names stand for which within documents, as their evidence says; pairs: alias, name, alias, name …
// $documents: ids of documents.
UNWIND $documents AS document
MATCH (p:Evidence {document: document}) WHERE size(p.alias_pairs) > 0 AND p.extractor IS NOT NULL
RETURN document, p.id AS id, p.alias_pairs AS pairs
