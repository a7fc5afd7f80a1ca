// Returns: name — name of the entity that $source is merged into; no row if one of the two does not exist.
// $source: id of the entity to merge; it is retained as Merged, with its vector and its own names.
// $target: id of the entity to merge into, of the same collection; its own names are retained separately from those it gains.
MATCH (s:Entity {id: $source}), (t:Entity {id: $target}) WHERE s <> t AND s.collection = t.collection
CREATE (s)-[:MERGED_INTO {at: timestamp()}]->(t)
SET t.own_aliases = coalesce(t.own_aliases, t.aliases), t.own_named = coalesce(t.own_named, t.named),
  t.own_kind = coalesce(t.own_kind, t.kind)
SET s:Merged
REMOVE s:Entity:UnembeddedEntity:Unlinked:Unsettled
RETURN t.name AS name
