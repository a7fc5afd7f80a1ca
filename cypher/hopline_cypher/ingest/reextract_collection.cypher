// Returns: passages — number of passages of a collection without given entities; all its evidence is to be extracted again, by this model or by rules.
// $collection: id of the collection.
// $extraction_model: name of the model; empty: rules.
MATCH (c:Collection {id: $collection}) WHERE NOT c:Removed
SET c.extraction_model = $extraction_model, c:ToExtract
RETURN COUNT { MATCH (p:Evidence {collection: c.id}) WHERE p:Passage AND p.given IS NULL } AS passages
