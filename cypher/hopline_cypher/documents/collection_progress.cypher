// Returns: documents, done, failed, pages, pages_done, passages, unread, unembedded, unrelated, triples, entities, settling, marking, fresh — counts of the documents of a collection and of its remaining work; fresh: remaining work of documents parsed in the last minute, counted over edges, because Neo4j shows a commit in its nodes before its label index.
// $collection: id of the collection.
MATCH (d:Document) WHERE d.collection = $collection AND NOT d:Removed
WITH count(d) AS documents, sum(CASE WHEN d:Waiting THEN 0 WHEN d.state = 'failed' THEN 0 ELSE 1 END) AS done,
  sum(CASE WHEN d.state = 'failed' THEN 1 ELSE 0 END) AS failed, 
  sum(CASE WHEN d:Waiting THEN coalesce(d.pages_waiting, 0) ELSE coalesce(d.pages, 0) END) AS pages,
  sum(CASE WHEN d:Waiting THEN coalesce(d.pages_done, 0) ELSE coalesce(d.pages, 0) END) AS pages_done,
  sum(coalesce(d.passages, 0) + coalesce(d.tables, 0) + coalesce(d.figures, 0)) AS passages
RETURN documents, done, failed, pages, pages_done, passages,
  COUNT { MATCH (n:Unread) WHERE n.collection = $collection } AS unread,
  COUNT { MATCH (n:Unembedded) WHERE n.collection = $collection } AS unembedded,
  COUNT { MATCH (n:Unrelated) WHERE n.collection = $collection } AS unrelated,
  COUNT { MATCH (n:UnembeddedTriple) WHERE n.collection = $collection } AS triples,
  COUNT { MATCH (n:UnembeddedEntity) WHERE n.collection = $collection } AS entities,
  COUNT { MATCH (n:Unsettled) WHERE n.collection = $collection } AS settling,
  COUNT { MATCH (c:ToExtract|ToEmbed) WHERE c.id = $collection } AS marking,
  COUNT { MATCH (d:Document)-[:HAS_PAGE]->()-[:HAS_PASSAGE|HAS_TABLE|HAS_FIGURE]->(n)
    WHERE d.collection = $collection AND d.read_at > timestamp() - 60000
      AND any(label IN labels(n) WHERE label IN ['Unread', 'Unembedded', 'Unrelated']) } AS fresh
