// Returns: nothing — updates names, aliases and kind of entities from their own and those of the entities merged into them; an entity is of a named kind if one of these is.
// $ids: ids of entities that have or had merged entities.
// $letters: letters without a decomposition, with their folded form; words without their accents are searched as well.
UNWIND $ids AS id
MATCH (e:Entity|Merged {id: id}) WHERE e.own_aliases IS NOT NULL
OPTIONAL MATCH (m:Merged)-[:MERGED_INTO*]->(e)
WITH e, m ORDER BY m.id
WITH e, collect(m) AS merged
WITH e, [m IN merged WHERE coalesce(m.own_named, m.named)] AS named,
  reduce(names = e.own_aliases, m IN merged |
    names + [name IN [m.name] + coalesce(m.own_aliases, m.aliases) WHERE name <> e.name AND NOT name IN names]) AS aliases
WITH e, named, aliases, reduce(text = e.name, alias IN aliases | text + ' ' + alias) AS text
WITH e, named, aliases, text, CASE WHEN text =~ '\\p{ASCII}*' THEN [] ELSE [word IN split(toLower(text), [' ', '-', '’']) |
  [word, reduce(folded = '', letter IN split(normalize(word, NFD), '') |
    folded + CASE WHEN '\u0300' <= letter <= '\u036f' THEN '' ELSE coalesce($letters[letter], letter) END)]] END AS words
WITH e, named, aliases, text, [pair IN words WHERE pair[0] <> pair[1] AND pair[1] =~ '\\p{ASCII}+' | pair[1]] AS folded
WITH e, named, aliases, CASE WHEN size(folded) = 0 THEN text
  ELSE text + '\u001f' + reduce(joined = head(folded), word IN tail(folded) | joined + ' ' + word) END AS search
SET e.aliases = aliases, e.search = search,
  e.named = e.own_named OR size(named) > 0,
  e.kind = CASE WHEN e.own_named OR size(named) = 0 THEN e.own_kind ELSE coalesce(named[0].own_kind, named[0].kind) END
