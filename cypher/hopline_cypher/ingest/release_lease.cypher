// Returns: nothing — releases the lease if it is held by this holder.
// $holder: name of the holder.
MATCH (m:Mark {name: 'lease', holder: $holder})
REMOVE m.holder, m.until, m.settings
