// Returns: nothing — returns the reserved calls that were not made; does nothing if the reservation is settled.
// $reservation: id of the reservation.
// $collection: id of the collection.
// $calls: number of calls that were made.
MATCH (c:Collection {id: $collection}) WHERE c.reservation = $reservation
SET c.calls_left = c.calls_left + CASE WHEN c.calls_reserved > $calls THEN c.calls_reserved - $calls ELSE 0 END
REMOVE c.reservation, c.calls_reserved
