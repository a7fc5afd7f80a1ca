// Returns: holder — the current holder of the lease; no row if it is free.
MATCH (m:Mark {name: 'lease'}) WHERE m.until >= timestamp()
RETURN m.holder AS holder
