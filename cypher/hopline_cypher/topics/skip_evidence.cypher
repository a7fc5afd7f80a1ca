// Returns: nothing — evidence gets no topics and no longer waits for them.
// $ids: ids of evidence.
UNWIND $ids AS id
MATCH (n:Evidence {id: id})
REMOVE n:Unthemed
