// Returns: holder — current holder of the lease: $holder if the lease was free, expired, held by $dead or already its own.
// $holder: name of the holder that requests the lease.
// $dead: holder that is known to have died; empty: none.
// $seconds: duration of the lease.
MERGE (m:Mark {name: 'lease'})
SET m.asked = timestamp()
WITH m, m.holder IS NULL OR m.holder = $holder OR m.holder = $dead OR m.until < timestamp() AS free
FOREACH (_ IN CASE WHEN free THEN [1] ELSE [] END | SET m.holder = $holder, m.until = timestamp() + toInteger(1000 * $seconds))
RETURN m.holder AS holder
