// Returns: name — of the entity that $source is from now on; no row where one of the two is not there.
// $source: id of the entity that is merged; it is kept, as Merged, with its vector and its own names.
// $target: id of the entity that it is merged into, of the same collection; what is its own is kept beside what it gains.
MATCH (s:Entity {id: $source}), (t:Entity {id: $target}) WHERE s <> t AND s.collection = t.collection
CREATE (s)-[:MERGED_INTO {at: timestamp()}]->(t)
SET t.own_aliases = coalesce(t.own_aliases, t.aliases), t.own_named = coalesce(t.own_named, t.named),
  t.own_kind = coalesce(t.own_kind, t.kind)
SET s:Merged
REMOVE s:Entity:UnembeddedEntity:Unlinked:Unsettled
RETURN t.name AS name
