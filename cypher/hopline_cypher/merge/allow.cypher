// Returns: names — of a refused pair that may be suggested again; no row where it was not refused.
// $id: id of the pair.
MATCH (r:Refused {id: $id})
WITH r, r.names AS names
DELETE r
RETURN names
