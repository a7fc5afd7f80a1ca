// Returns: kind, name, entity_kind, aliases, evidence, document, correction — kind, name, aliases, evidence and document of one node; correction: id, original, corrected, author and time (milliseconds since 1970) of that of an entity, null if there is none.
// $id: id of the node.
// $excluded: ids of documents that are being removed; they are excluded.
CALL () {
  MATCH (n:Evidence {id: $id}) RETURN n UNION MATCH (n:Entity {id: $id}) RETURN n UNION
  MATCH (n:Triple {id: $id}) RETURN n UNION MATCH (n:Reference {id: $id}) RETURN n UNION MATCH (n:Page {id: $id}) RETURN n UNION
  MATCH (n:Document {id: $id}) RETURN n UNION MATCH (n:Collection {id: $id}) RETURN n
}
WITH n WHERE NOT coalesce(n.document, n.id) IN $excluded
RETURN labels(n) AS kind, coalesce(n.name, n.caption, n.text, toString(n.number), '') AS name,
  coalesce(n.kind, '') AS entity_kind, coalesce(n.aliases, []) AS aliases, coalesce(n.evidence, '') AS evidence,
  coalesce(n.document, '') AS document,
  head(COLLECT { MATCH (k:Correction {entity: n.id}) RETURN [k.id, k.original, k.corrected, k.author, k.at] }) AS correction
