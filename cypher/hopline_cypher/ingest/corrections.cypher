// Returns: id, document, kind, evidence, pages, boxes, original, corrected, saved, table, at — the corrections of documents, newest first; evidence: what each applies to so far, empty if there is none; saved: what it replaced, as JSON text; table: the corrected content of a table, as JSON text, else empty.
// $documents: ids of documents.
MATCH (k:Correction) WHERE k.document IN $documents
OPTIONAL MATCH (k)-[:CORRECTS]->(e:Evidence)
RETURN k.id AS id, k.document AS document, k.kind AS kind, coalesce(e.id, '') AS evidence, k.pages AS pages, k.boxes AS boxes,
  k.original AS original, k.corrected AS corrected, k.saved AS saved, k.table AS table, k.at AS at ORDER BY k.at DESC, id
