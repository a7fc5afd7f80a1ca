// Returns: names — names of a rejected pair, which can be suggested again; no row if it was not rejected.
// $id: id of the pair.
MATCH (r:Refused {id: $id})
WITH r, r.names AS names
DELETE r
RETURN names
