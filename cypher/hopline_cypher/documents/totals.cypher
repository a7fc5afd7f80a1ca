// Returns: waiting, failed, unread, unembedded, passages, tables, entities, triples — counts over the whole graph.
RETURN COUNT { (:Document&Waiting) } + COUNT { (:Corpus&Waiting) } AS waiting,
  COUNT { MATCH (d:Document) WHERE d.state = 'failed' AND NOT d:Removed } AS failed,
  COUNT { (:Unread) } AS unread, COUNT { (:Unembedded) } AS unembedded, COUNT { (:Passage) } AS passages, COUNT { (:Table) } AS tables,
  COUNT { (:Entity) } AS entities, COUNT { (:Triple) } AS triples
