// Returns: holder, settings — the current holder of the lease, and its settings as JSON ("" if it recorded none); no row if it is free.
MATCH (m:Mark {name: 'lease'}) WHERE m.until >= timestamp()
RETURN m.holder AS holder, coalesce(m.settings, '') AS settings
