// Returns: id — collections whose import was abandoned, which are marked for removal.
// $seconds: time after its last write after which an import counts as abandoned.
MATCH (c:Collection&Importing) WHERE c.imported_at < timestamp() - toInteger(1000 * $seconds)
REMOVE c:Importing
SET c:Removed
RETURN c.id AS id
