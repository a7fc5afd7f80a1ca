// Returns: rows of id, merged, source, target, at — decisions about pairs: merged entities and rejected merges, newest first.
// $collection: id of the collection.
CALL () {
  MATCH (m:Merged {collection: $collection})-[r:MERGED_INTO]->(t) RETURN m.id AS id, true AS merged, m.name AS source, t.name AS target, r.at AS at
  UNION ALL
  MATCH (r:Refused {collection: $collection}) RETURN r.id AS id, false AS merged, r.names[0] AS source, r.names[1] AS target, r.at AS at
}
WITH id, merged, source, target, at ORDER BY at DESC, id
RETURN collect([id, merged, source, target, at]) AS rows
