// Returns: documents, pages, passages, tables, entities, triples — number of nodes of each kind in a collection.
// $collection: id of the collection.
RETURN COUNT { (:Document {collection: $collection}) } AS documents,
  COUNT { (:Document {collection: $collection})-[:HAS_PAGE]->(:Page) } AS pages, COUNT { (:Evidence&Passage {collection: $collection}) } AS passages,
  COUNT { (:Evidence&Table {collection: $collection}) } AS tables, COUNT { (:Entity {collection: $collection}) } AS entities,
  COUNT { (:Triple {collection: $collection}) } AS triples
