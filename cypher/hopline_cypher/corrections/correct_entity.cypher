// Returns: id — the correction, which is stored; its entity is marked for an update. No row if there is no such entity.
// $entity: id of the entity.
// $correction: properties of the correction, with its id.
MATCH (e:Entity {id: $entity})
MERGE (k:Correction {id: $correction.id})
SET k = $correction, e:Unsettled
RETURN k.id AS id
