// Returns: nothing — what evidence is about.
// $about: rows of evidence, entity, by, score.
UNWIND $about AS row
MATCH (p:Evidence {id: row.evidence})
MATCH (e:Entity {id: row.entity})
CREATE (p)-[:ABOUT {by: row.by, score: row.score}]->(e)
