// Returns: id — what a merged entity was merged into, and what that was merged into, and so on.
// $id: id of the merged entity.
MATCH (:Merged {id: $id})-[:MERGED_INTO*]->(e)
RETURN e.id AS id
