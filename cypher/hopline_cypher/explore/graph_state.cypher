// Returns: entities, mentions, merged, merged_at — numbers of entities, mentions and merged entities of a collection, and the time of the last merge: they differ after a change of what is mentioned.
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
RETURN entities, mentions + size($excluded) AS mentions, merged, merged_at
