// Returns: nothing — returns when every index is online.
// $seconds: timeout in seconds.
CALL db.awaitIndexes($seconds)
