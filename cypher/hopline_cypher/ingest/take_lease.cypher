// Returns: holder — who leads now: $holder if the lease was free, run out or its own.
// $holder: who asks.
// $dead: a holder that is known to have died; empty: none.
// $seconds: how long the lease lasts.
MERGE (m:Mark {name: 'lease'})
SET m.asked = timestamp()
WITH m, m.holder IS NULL OR m.holder = $holder OR m.holder = $dead OR m.until < timestamp() AS free
FOREACH (_ IN CASE WHEN free THEN [1] ELSE [] END | SET m.holder = $holder, m.until = timestamp() + toInteger(1000 * $seconds))
RETURN m.holder AS holder
