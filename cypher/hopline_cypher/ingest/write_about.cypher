// Returns: nothing — writes ABOUT edges; a new subject name is marked to be searched for in older evidence.
// $about: rows of evidence, entity, by, score, and optionally name, kind.
UNWIND $about AS row
MATCH (p:Evidence {id: row.evidence})
MATCH (e:Entity|Merged {id: row.entity})
MERGE (p)-[a:ABOUT]->(e)
SET a = {by: row.by, score: row.score, name: row.name, kind: row.kind}
WITH DISTINCT e WHERE e:Entity AND e.linked IS NULL
SET e:Unlinked
