// Returns: id — the correction of an entity, which is deleted; the entity is marked for an update. No row while the entity is merged into another.
// $id: id of the correction.
MATCH (k:Correction {id: $id}) WHERE k.entity IS NOT NULL AND NOT EXISTS { (:Merged {id: k.entity}) }
OPTIONAL MATCH (e:Entity {id: k.entity})
FOREACH (n IN CASE WHEN e IS NULL THEN [] ELSE [e] END | SET n:Unsettled)
WITH k, k.id AS id
DELETE k
RETURN id
