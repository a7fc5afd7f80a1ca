// Returns: name, value — the stored values of marks; no row for a mark that is not stored.
// $names: names of the marks.
MATCH (m:Mark) WHERE m.name IN $names
RETURN m.name AS name, m.value AS value
