// Returns: settled — number of updated entities. Name, kind and aliases become those of most mentions, ties in alphabetical order, and a known kind before NAME, unless they were corrected; entities without edges are deleted, and a name mentioned by only one evidence has no vector.
// $limit: maximum number of entities per call.
// $common: kinds that are not names.
// $letters: letters without a decomposition, with their folded form; words without their accents are searched as well.
// $embedding: name of the vector property.
MATCH (e:Entity&Unsettled)
WITH e ORDER BY e.id LIMIT $limit
REMOVE e:Unsettled
WITH e
CALL (e) {
  MATCH (e)<-[r:MENTIONS|ABOUT|SUBJECT|OBJECT]-() WHERE r.name IS NOT NULL AND coalesce(r.was, e.id) = e.id
  WITH r.name AS name, count(*) AS times ORDER BY times DESC, name LIMIT 1
  RETURN collect(name)[0] AS name
}
CALL (e) {
  MATCH (e)<-[r:MENTIONS|ABOUT]-() WHERE r.kind IS NOT NULL AND coalesce(r.was, e.id) = e.id
  WITH r.kind AS kind, NOT r.kind IN $common AS named, count(*) AS times
  ORDER BY named DESC, kind = 'NAME', times DESC, kind LIMIT 1
  RETURN collect(kind)[0] AS kind, coalesce(collect(named)[0], false) AS named
}
CALL (e) {
  MATCH (e)<-[r:MENTIONS]-() WHERE r.aliases IS NOT NULL AND coalesce(r.was, e.id) = e.id
  UNWIND r.aliases AS alias
  WITH DISTINCT alias ORDER BY alias
  RETURN collect(alias) AS aliases
}
OPTIONAL MATCH (k:Correction {entity: e.id})
WITH e, CASE WHEN name IS NULL THEN null ELSE coalesce(k.name, name) END AS name, coalesce(k.entity_kind, kind) AS kind,
  named OR k.entity_kind IS NOT NULL AS named,
  CASE WHEN k.name IS NULL OR name IS NULL OR name IN aliases THEN aliases ELSE aliases + name END AS aliases
FOREACH (_ IN CASE WHEN name IS NOT NULL AND name <> e.name THEN [1] ELSE [] END |
  SET e.name = name
  FOREACH (_ IN CASE WHEN e.joins THEN [1] ELSE [] END | SET e:UnembeddedEntity))
FOREACH (_ IN CASE WHEN name IS NOT NULL AND e.own_aliases IS NULL THEN [1] ELSE [] END |
  SET e.kind = coalesce(kind, ''), e.named = named, e.aliases = [alias IN aliases WHERE alias <> e.name])
FOREACH (_ IN CASE WHEN name IS NOT NULL AND e.own_aliases IS NOT NULL THEN [1] ELSE [] END |
  SET e.own_kind = coalesce(kind, ''), e.own_named = named, e.own_aliases = [alias IN aliases WHERE alias <> e.name],
    e.kind = CASE WHEN named OR NOT e.named THEN coalesce(kind, '') ELSE e.kind END, e.named = e.named OR named,
    e.aliases = e.aliases + [alias IN aliases WHERE alias <> e.name AND NOT alias IN e.aliases])
WITH e, reduce(text = e.name, alias IN e.aliases | text + ' ' + alias) AS text,
  EXISTS { (e)<-[:ABOUT]-() } AS subject, e.named AND COUNT { (e)<-[:MENTIONS]-() } > 1 AS joins
WITH e, subject, joins, text, CASE WHEN text =~ '\\p{ASCII}*' THEN [] ELSE [word IN split(toLower(text), [' ', '-', '’']) |
  [word, reduce(folded = '', letter IN split(normalize(word, NFD), '') |
    folded + CASE WHEN '\u0300' <= letter <= '\u036f' THEN '' ELSE coalesce($letters[letter], letter) END)]] END AS words
WITH e, subject, joins, text, [pair IN words WHERE pair[0] <> pair[1] AND pair[1] =~ '\\p{ASCII}+' | pair[1]] AS folded
WITH e, subject, joins, CASE WHEN size(folded) = 0 THEN text
  ELSE text + '\u001f' + reduce(joined = head(folded), word IN tail(folded) | joined + ' ' + word) END AS search
FOREACH (_ IN CASE WHEN e.search <> search THEN [1] ELSE [] END | SET e.search = search)
FOREACH (_ IN CASE WHEN joins AND NOT e.joins THEN [1] ELSE [] END | SET e:UnembeddedEntity, e.joins = true)
FOREACH (_ IN CASE WHEN e.joins AND NOT joins THEN [1] ELSE [] END |
  SET e.joins = false, e[$embedding] = null REMOVE e:UnembeddedEntity)
WITH e, subject
CALL (e, subject) {
  WITH e, subject WHERE NOT subject AND e.linked IS NOT NULL
  SET e.linked = null
  WITH e
  MATCH (p:Evidence)-[:MENTIONS {by: 'name'}]->(e)
  SET p:Unrelated
}
CALL (e) { WITH e WHERE NOT EXISTS { (e)<--() } DELETE e }
RETURN count(*) AS settled
