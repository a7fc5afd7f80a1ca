// Returns: value — what a mark holds.
// $name: name of the mark.
MATCH (m:Mark {name: $name})
RETURN m.value AS value
