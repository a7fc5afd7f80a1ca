// Returns: has_nodes — whether the graph has a node.
MATCH (n)
RETURN count(n) > 0 AS has_nodes
