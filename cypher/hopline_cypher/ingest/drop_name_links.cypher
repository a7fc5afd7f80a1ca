// Returns: nothing — deletes the mentions of this evidence that were linked by name; they are searched for again.
// $ids: ids of evidence.
UNWIND $ids AS id
MATCH (:Evidence {id: id})-[r:MENTIONS {by: 'name'}]->(e)
FOREACH (_ IN CASE WHEN e:Entity THEN [1] ELSE [] END | SET e:Unsettled)
DELETE r
