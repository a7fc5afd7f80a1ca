// Returns: rows of source, type, target, properties — outgoing relationships of corrections.
// $ids: ids of the nodes.
UNWIND $ids AS id
MATCH (n:Correction {id: id})-[r]->(other)
RETURN collect([n.id, type(r), other.id, properties(r)]) AS rows
