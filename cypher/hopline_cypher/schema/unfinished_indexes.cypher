// Returns: name, state, percent — the indexes that are not online yet, with the share of their nodes that they have.
SHOW INDEXES YIELD name, state, populationPercent
WHERE state <> 'ONLINE'
RETURN name, state, populationPercent AS percent
ORDER BY name
