// Returns: nothing — writes NEXT edges between consecutive passages.
// $pairs: rows of first, second.
UNWIND $pairs AS pair
MATCH (a:Evidence {id: pair.first}), (b:Evidence {id: pair.second})
MERGE (a)-[:NEXT]->(b)
