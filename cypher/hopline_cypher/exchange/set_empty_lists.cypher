// Returns: nodes — number of nodes whose empty lists were set; 0 if there are no more.
// $limit: maximum number of nodes.
MATCH (n:EmptyLists)
WITH n LIMIT $limit
FOREACH (name IN n.empty_lists | SET n[name] = [])
FOREACH (name IN n.blank_lists | SET n[name] = [''])
REMOVE n:EmptyLists, n.empty_lists, n.blank_lists
RETURN count(*) AS nodes
