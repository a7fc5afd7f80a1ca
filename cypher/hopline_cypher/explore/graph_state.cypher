// Returns: entities, mentions, merged, merged_at, corrections, corrected_at — numbers of entities, mentions, merged entities and corrections of a collection, and the times of the last merge and correction: they differ after a change of what is mentioned.
// $collection: id of the collection.
// $excluded: ids of documents that are being removed; their number is added to that of the mentions.
CALL () {
  MATCH (e:Entity {collection: $collection})
  RETURN count(e) AS entities, sum(COUNT { (e)<-[:MENTIONS]-() }) AS mentions
}
CALL () {
  OPTIONAL MATCH (:Merged {collection: $collection})-[r:MERGED_INTO]->()
  RETURN count(r) AS merged, coalesce(max(r.at), 0) AS merged_at
}
CALL () {
  OPTIONAL MATCH (k:Correction {collection: $collection})
  RETURN count(k) AS corrections, coalesce(max(k.at), 0) AS corrected_at
}
RETURN entities, mentions + size($excluded) AS mentions, merged, merged_at, corrections, corrected_at
