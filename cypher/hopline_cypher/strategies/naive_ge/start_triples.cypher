// Returns: rows of id, evidence, text, vector — triples stated by the evidence of the base ranking.
// $ids: ids of the evidence of the base ranking.
// $embedding: name of the vector property.
// $collection: id of the collection.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $ids AS id
MATCH (:Evidence {id: id, collection: $collection})-[:STATES]->(t:Triple)
WHERE NOT t.document IN $excluded AND t[$embedding] IS NOT NULL
RETURN collect([t.id, t.evidence, t.text, t[$embedding]]) AS rows
