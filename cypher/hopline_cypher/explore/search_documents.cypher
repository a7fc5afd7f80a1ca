// Returns: rows of id, kind, name, about, size — documents whose name or title contains all of the words, whatever their accents, with or without the punctuation in them.
// $words: words in lower case without accents.
// $letters: letters without a decomposition, with their folded form.
// $limit: maximum number of rows.
// $collection: id of the collection.
MATCH (d:Document {collection: $collection}) WHERE NOT d:Removed
WITH d, [text IN [toLower(d.name), toLower(coalesce(d.title, ''))] |
  CASE WHEN text =~ '\\p{ASCII}*' THEN text ELSE reduce(folded = '', letter IN split(normalize(text, NFD), '') |
    folded + CASE WHEN '\u0300' <= letter <= '\u036f' THEN '' ELSE coalesce($letters[letter], letter) END) END] AS texts
WITH d, texts + [text IN texts | reduce(joined = text, sign IN ['.', '-', '_', '\'', '’', ' '] | replace(joined, sign, ''))] AS texts
WHERE all(word IN $words WHERE any(text IN texts WHERE text CONTAINS word))
WITH d ORDER BY d.name, d.id LIMIT $limit
RETURN collect([d.id, labels(d), d.name, coalesce(d.title, ''), COUNT { (d)--() }]) AS rows
