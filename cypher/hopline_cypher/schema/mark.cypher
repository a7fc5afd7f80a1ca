// Returns: value — the stored value of a mark.
// $name: name of the mark.
MATCH (m:Mark {name: $name})
RETURN m.value AS value
