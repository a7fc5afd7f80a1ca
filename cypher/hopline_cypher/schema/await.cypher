// Returns: nothing — when every index is online.
// $seconds: how long to wait at most.
CALL db.awaitIndexes($seconds)
