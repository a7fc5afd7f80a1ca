// Returns: id, before, after — the text of the passages beside a passage; before a table, what else stands on its page.
// $ids: ids of passages and tables.
UNWIND $ids AS id
MATCH (e:Evidence {id: id})
OPTIONAL MATCH (b:Passage)-[:NEXT]->(e)
OPTIONAL MATCH (e)-[:NEXT]->(a:Passage)
WITH id, e, head(collect(b.text)) AS before, head(collect(a.text)) AS after
CALL (e) {
  MATCH (e:Table)<-[:HAS_TABLE]-(:Page)-[:HAS_PASSAGE]->(p:Passage)
  WITH p ORDER BY p.ordinal LIMIT 8
  RETURN collect(p.text) AS texts
}
RETURN id, coalesce(before, reduce(all = '', text IN texts | all + text + '\n')) AS before, coalesce(after, '') AS after
