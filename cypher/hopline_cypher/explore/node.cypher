// Returns: kind, name, sort, aliases, evidence, document — one node: what it is and where it belongs.
// $id: its id.
CALL () {
  MATCH (n:Evidence {id: $id}) RETURN n UNION MATCH (n:Entity {id: $id}) RETURN n UNION
  MATCH (n:Triple {id: $id}) RETURN n UNION MATCH (n:Page {id: $id}) RETURN n UNION
  MATCH (n:Document {id: $id}) RETURN n UNION MATCH (n:Collection {id: $id}) RETURN n
}
RETURN labels(n) AS kind, coalesce(n.name, n.caption, n.text, toString(n.number), '') AS name,
  coalesce(n.kind, '') AS sort, coalesce(n.aliases, []) AS aliases, coalesce(n.evidence, '') AS evidence,
  coalesce(n.document, '') AS document
