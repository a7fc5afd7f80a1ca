// Returns: name — of the entity that $source is from now on; no row where one of the two is not there.
// $source: id of the entity that is merged; it is kept, as Merged, with its vector and its own names.
// $target: id of the entity that it is merged into, of the same collection.
MATCH (s:Entity {id: $source}), (t:Entity {id: $target}) WHERE s <> t AND s.collection = t.collection
WITH s, t, [name IN [s.name] + s.aliases WHERE name <> t.name AND NOT name IN t.aliases] AS added
CREATE (s)-[:MERGED_INTO {at: timestamp(), added: added}]->(t)
SET t.aliases = t.aliases + added, t.named = t.named OR s.named,
  t.kind = CASE WHEN s.named AND NOT t.named THEN s.kind ELSE t.kind END
SET t.search = reduce(text = t.name, alias IN t.aliases | text + ' ' + alias)
SET s:Merged
REMOVE s:Entity:UnembeddedEntity:Unlinked
RETURN t.name AS name
