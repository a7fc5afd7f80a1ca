// Returns: rows of seed, id, edge, entity, name, onward — the nearest neighbours of each seed by its SIMILAR edges, in their direction.
// $seeds: ids of evidence.
// $by: the encoder that made the edges; empty: any.
// $limit: neighbours of one seed, the nearest first.
// $collection: id of the collection.
// $documents: ids of the documents that may be reached; empty: all.
UNWIND $seeds AS seed
MATCH (t:Evidence {id: seed, collection: $collection})
CALL (t) {
  MATCH (t)-[s:SIMILAR]->(n:Evidence)
  WHERE ($by = '' OR s.by = $by) AND (size($documents) = 0 OR n.document IN $documents)
  WITH n, max(s.score) AS score
  RETURN n ORDER BY score DESC, n.id LIMIT $limit
}
RETURN collect([t.id, n.id, 'SIMILAR', '', '', '']) AS rows
