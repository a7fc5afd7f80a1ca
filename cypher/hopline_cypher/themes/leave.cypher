// Returns: nothing — evidence that gets no themes.
// $ids: ids of evidence.
UNWIND $ids AS id
MATCH (n:Evidence {id: id})
REMOVE n:Unthemed
