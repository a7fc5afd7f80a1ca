// Returns: nothing — mentions of this evidence that only the names of other evidence showed; they are looked for again.
// $ids: ids of evidence.
UNWIND $ids AS id
MATCH (:Evidence {id: id})-[r:MENTIONS {by: 'name'}]->(e)
FOREACH (_ IN CASE WHEN e:Entity THEN [1] ELSE [] END | SET e:Unsettled)
DELETE r
