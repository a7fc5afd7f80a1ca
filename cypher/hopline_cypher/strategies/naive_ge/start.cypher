// Returns: rows of id, evidence, text, vector — the triples that the base list states.
// $ids: ids of the evidence of the base list.
// $embedding: name of the vector property.
// $collection: id of the collection.
UNWIND $ids AS id
MATCH (:Evidence {id: id, collection: $collection})-[:STATES]->(t:Triple)
WHERE t[$embedding] IS NOT NULL
RETURN collect([t.id, t.evidence, t.text, t[$embedding]]) AS rows
