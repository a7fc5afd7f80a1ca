// Returns: id — entities that have merged entities.
// $collection: id of the collection.
MATCH (:Merged {collection: $collection})-[:MERGED_INTO*]->(e:Entity)
RETURN DISTINCT e.id AS id
