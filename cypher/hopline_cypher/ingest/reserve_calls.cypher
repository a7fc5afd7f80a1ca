// Returns: reserved — number of model calls that are reserved, at most $calls and what is left; null: the collection has no limit.
// Reserved calls count as made until settle_calls returns the rest; those of a worker that was killed stay counted.
// $collection: id of the collection.
// $reservation: id of the reservation; a transaction that is repeated reserves once.
// $calls: number of calls to reserve.
MATCH (c:Collection {id: $collection})
FOREACH (_ IN CASE WHEN c.calls_left IS NOT NULL AND coalesce(c.reservation, '') <> $reservation THEN [1] ELSE [] END |
  SET c.calls_reserved = CASE WHEN c.calls_left < $calls THEN c.calls_left ELSE $calls END, c.reservation = $reservation
  SET c.calls_left = c.calls_left - c.calls_reserved)
RETURN CASE WHEN c.reservation = $reservation THEN c.calls_reserved ELSE null END AS reserved
