// Returns: nothing — appends to the searched text of evidence, entities and triples the forms without accents of its words; repeated runs change nothing.
// $letters: letters without a decomposition, with their folded form.
MATCH (n:Evidence|Entity|Merged|Triple) WHERE NOT n.search =~ '\\p{ASCII}*' AND NOT n.search CONTAINS '\u001f'
CALL (n) {
  WITH n, [word IN split(toLower(n.search), [' ', '\n', '’', '-', '–', '—', '/', '“', '”', '‘', '(', ')']) |
    [word, reduce(folded = '', letter IN split(normalize(word, NFD), '') |
      folded + CASE WHEN '\u0300' <= letter <= '\u036f' THEN '' ELSE coalesce($letters[letter], letter) END)]] AS words
  WITH n, [pair IN words WHERE pair[0] <> pair[1] AND pair[1] =~ '\\p{ASCII}+' | pair[1]] AS folded
  WHERE size(folded) > 0
  SET n.search = n.search + '\u001f' + reduce(text = head(folded), word IN tail(folded) | text + ' ' + word)
} IN TRANSACTIONS OF 1000 ROWS
