// Returns: nothing — index of corrections by the entity that they apply to.
CREATE INDEX correction_entity IF NOT EXISTS FOR (n:Correction) ON (n.entity)
