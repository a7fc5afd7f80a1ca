// Returns: before — the themes that the collection had; it now has these.
// $collection: id of the collection.
// $themes: name of the set of themes; empty: none.
// $labels: names of the themes, in the order of their numbers.
MATCH (c:Collection {id: $collection})
WITH c, coalesce(c.themes, '') AS before
SET c.themes = CASE WHEN $themes = '' THEN null ELSE $themes END,
  c.theme_labels = CASE WHEN $themes = '' THEN null ELSE $labels END
RETURN before
