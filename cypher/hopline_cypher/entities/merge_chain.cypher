// Returns: id — entities that a merged entity was merged into, directly or transitively.
// $id: id of the merged entity.
MATCH (:Merged {id: $id})-[:MERGED_INTO*]->(e)
RETURN e.id AS id
