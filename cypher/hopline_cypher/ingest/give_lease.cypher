// Returns: nothing — the lease is free again, if it was this holder's.
// $holder: who gives it back.
MATCH (m:Mark {name: 'lease', holder: $holder})
REMOVE m.holder, m.until
