// Returns: id, collection, document, name, evidence, pages, boxes, lines, text, subject, predicate, object, start, end — one triple, with its document, the name of that, and the text of the evidence that states it.
// $id: id of the triple.
MATCH (t:Triple {id: $id})
MATCH (e:Evidence {id: t.evidence})
MATCH (d:Document {id: t.document}) WHERE NOT d:Removed
RETURN t.id AS id, t.collection AS collection, d.id AS document, d.name AS name, e.id AS evidence, coalesce(e.pages, []) AS pages,
  coalesce(e.boxes, []) AS boxes, coalesce(e.lines, []) AS lines, t.text AS text, t.subject AS subject, t.predicate AS predicate,
  t.object AS object, coalesce(t.start, 0) AS start, coalesce(t.end, 0) AS end
