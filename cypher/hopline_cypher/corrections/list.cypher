// Returns: rows of id, kind, evidence, entity, document, document_id, pages, boxes, original, corrected, author, at — the corrections of a collection, newest first; evidence, entity: what each applies to, both empty if it no longer applies; at: milliseconds since 1970.
// $collection: id of the collection.
// $documents: ids of documents; empty: all, and corrections of entities.
MATCH (k:Correction {collection: $collection})
OPTIONAL MATCH (d:Document {id: k.document})
WITH k, d WHERE CASE WHEN k.entity IS NULL THEN NOT d:Removed AND (size($documents) = 0 OR d.id IN $documents) ELSE size($documents) = 0 END
OPTIONAL MATCH (k)-[:CORRECTS]->(e:Evidence)
OPTIONAL MATCH (stated:Evidence {id: k.evidence})
OPTIONAL MATCH (n:Entity|Merged {id: k.entity})
WITH k, d, coalesce(e, stated) AS e, n ORDER BY k.at DESC, k.id
RETURN collect([k.id, k.kind, coalesce(e.id, ''), coalesce(n.id, ''), coalesce(d.name, ''), coalesce(d.id, ''), k.pages, k.boxes, k.original, k.corrected, k.author, k.at]) AS rows
