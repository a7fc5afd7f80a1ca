// Returns: rows of seed, id, edge, entity, name, second_edge — nearest neighbours of each seed over its outgoing SIMILAR edges.
// $seeds: ids of evidence.
// $by: name of the embedder that made the edges; empty: any.
// $limit: maximum number of neighbours of one seed, by descending similarity.
// $collection: id of the collection.
// $documents: ids of the documents to search; empty: all.
// $excluded: ids of documents that are being removed; they are excluded.
UNWIND $seeds AS seed
MATCH (t:Evidence {id: seed, collection: $collection}) WHERE NOT t.document IN $excluded
CALL (t) {
  MATCH (t)-[s:SIMILAR]->(n:Evidence)
  WHERE ($by = '' OR s.by = $by) AND NOT n.document IN $excluded AND (size($documents) = 0 OR n.document IN $documents)
  WITH n, max(s.score) AS score
  RETURN n ORDER BY score DESC, n.id LIMIT $limit
}
RETURN collect([t.id, n.id, 'SIMILAR', '', '', '']) AS rows
