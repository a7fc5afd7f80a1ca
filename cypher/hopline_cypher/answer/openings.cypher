// Returns: id, texts — how each document begins, in its order.
// $ids: ids of documents.
// $passages: how many passages of each.
UNWIND $ids AS id
MATCH (p:Evidence:Passage {document: id}) WHERE p.ordinal < $passages
WITH id, p ORDER BY p.ordinal
RETURN id, collect(p.text) AS texts
