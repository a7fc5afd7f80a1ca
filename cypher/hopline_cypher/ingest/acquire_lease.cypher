// Returns: holder — current holder of the lease: $holder if the lease was free, expired, held by $dead or already its own; "" if the graph has a newer version.
// $holder: name of the holder that requests the lease.
// $settings: settings of the holder as JSON, without secrets; empty: not recorded.
// $dead: holder that is known to have died; empty: none.
// $seconds: duration of the lease.
// $version: version of the graph that the holder supports.
MERGE (m:Mark {name: 'lease'})
SET m.asked = timestamp()
WITH m, m.holder IS NULL OR m.holder = $holder OR m.holder = $dead OR m.until < timestamp() AS free
OPTIONAL MATCH (v:Mark {name: 'graph version'})
WITH m, free, toInteger(coalesce(v.value, '0')) <= $version AS supported
FOREACH (_ IN CASE WHEN free AND supported THEN [1] ELSE [] END | SET m.holder = $holder, m.settings = $settings, m.until = timestamp() + toInteger(1000 * $seconds))
RETURN CASE WHEN supported THEN m.holder ELSE '' END AS holder
