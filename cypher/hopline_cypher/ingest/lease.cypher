// Returns: holder — who leads, if anybody does.
MATCH (m:Mark {name: 'lease'}) WHERE m.until >= timestamp()
RETURN m.holder AS holder
