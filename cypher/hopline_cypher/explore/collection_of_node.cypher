// Returns: name — name of the collection that a node belongs to.
// $id: id of the node, of a decision about entities, of a correction, or of feedback.
// $excluded: ids of documents that are being removed; they are excluded.
CALL () {
  MATCH (n:Evidence {id: $id}) RETURN n UNION MATCH (n:Entity {id: $id}) RETURN n UNION
  MATCH (n:Triple {id: $id}) RETURN n UNION MATCH (n:Reference {id: $id}) RETURN n UNION MATCH (n:Page {id: $id}) RETURN n UNION
  MATCH (n:Document {id: $id}) RETURN n UNION MATCH (n:Collection {id: $id}) RETURN n UNION
  MATCH (n:Merged {id: $id}) RETURN n UNION MATCH (n:Refused {id: $id}) RETURN n UNION
  MATCH (n:Correction {id: $id}) RETURN n UNION MATCH (n:Feedback {id: $id}) RETURN n
}
WITH n WHERE NOT coalesce(n.document, n.id) IN $excluded
OPTIONAL MATCH (d:Document {id: n.document})
MATCH (c:Collection {id: coalesce(n.collection, d.collection, n.id)})
RETURN c.name AS name
