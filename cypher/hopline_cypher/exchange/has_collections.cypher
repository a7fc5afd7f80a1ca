// Returns: known — whether the graph has a collection, also one that is being imported or removed.
OPTIONAL MATCH (c:Collection)
RETURN count(c) > 0 AS known
