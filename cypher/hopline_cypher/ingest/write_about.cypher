// Returns: nothing — what evidence is about; a name that is new as such waits to be looked for in older evidence.
// $about: rows of evidence, entity, by, score, and optionally name, kind.
UNWIND $about AS row
MATCH (p:Evidence {id: row.evidence})
MATCH (e:Entity|Merged {id: row.entity})
CREATE (p)-[:ABOUT {by: row.by, score: row.score, name: row.name, kind: row.kind}]->(e)
WITH DISTINCT e WHERE e:Entity AND e.linked IS NULL
SET e:Unlinked
