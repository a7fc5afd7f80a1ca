// Returns: documents, pages, passages, tables, entities, triples — number of nodes of each kind in a collection.
// $collection: id of the collection.
// $excluded: ids of documents that are being removed; they are excluded.
RETURN COUNT { MATCH (d:Document {collection: $collection}) WHERE NOT d.id IN $excluded } AS documents,
  COUNT { MATCH (d:Document {collection: $collection})-[:HAS_PAGE]->(:Page) WHERE NOT d.id IN $excluded } AS pages,
  COUNT { MATCH (p:Evidence&Passage {collection: $collection}) WHERE NOT p.document IN $excluded } AS passages,
  COUNT { MATCH (t:Evidence&Table {collection: $collection}) WHERE NOT t.document IN $excluded } AS tables,
  COUNT { (:Entity {collection: $collection}) } AS entities,
  COUNT { MATCH (n:Evidence {collection: $collection})-[:STATES]->(:Triple) WHERE NOT n.document IN $excluded } AS triples
