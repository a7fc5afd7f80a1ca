// Returns: nothing — what evidence is about; a name that is new as such waits to be looked for in older evidence.
// $about: rows of evidence, entity, by, score.
UNWIND $about AS row
MATCH (p:Evidence {id: row.evidence})
MATCH (e:Entity|Merged {id: row.entity})
CREATE (p)-[:ABOUT {by: row.by, score: row.score}]->(e)
WITH DISTINCT e WHERE e:Entity AND e.linked IS NULL
SET e:Unlinked
