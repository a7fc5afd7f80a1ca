// Returns: rows of id, kind, evidence, document, document_id, pages, boxes, original, corrected, author, at — the corrections of a collection, newest first; evidence: what each applies to, empty if it no longer applies; at: milliseconds since 1970.
// $collection: id of the collection.
// $documents: ids of documents; empty: all.
MATCH (k:Correction {collection: $collection})
MATCH (d:Document {id: k.document}) WHERE NOT d:Removed AND (size($documents) = 0 OR d.id IN $documents)
OPTIONAL MATCH (k)-[:CORRECTS]->(e:Evidence)
WITH k, d, e ORDER BY k.at DESC, k.id
RETURN collect([k.id, k.kind, coalesce(e.id, ''), d.name, d.id, k.pages, k.boxes, k.original, k.corrected, k.author, k.at]) AS rows
