// Returns: id, before, after — the text of the passages beside each evidence; empty where there is none.
// $ids: ids of passages and tables.
UNWIND $ids AS id
MATCH (e:Evidence {id: id})
OPTIONAL MATCH (b:Passage)-[:NEXT]->(e)
OPTIONAL MATCH (e)-[:NEXT]->(a:Passage)
RETURN id, coalesce(b.text, '') AS before, coalesce(a.text, '') AS after
