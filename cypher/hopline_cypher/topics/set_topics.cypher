// Returns: before — the previous topic set of the collection; sets the new one.
// $collection: id of the collection.
// $themes: name of the topic set; empty: none.
// $labels: names of the topics, in the order of their numbers.
MATCH (c:Collection {id: $collection})
WITH c, coalesce(c.themes, '') AS before
SET c.themes = CASE WHEN $themes = '' THEN null ELSE $themes END,
  c.theme_labels = CASE WHEN $themes = '' THEN null ELSE $labels END
RETURN before
