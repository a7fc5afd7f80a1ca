// Returns: documents — number of files that another version of the parser parsed; they wait for parsing now.
// $parser: version of the parser in use.
MATCH (d:Document) WHERE split(d.version, '-')[1] <> $parser AND d.sha256 <> '' AND NOT d:Waiting AND NOT d:Removed
SET d:Waiting, d.state = 'waiting', d.reason = '', d.pages_done = 0, d.pages_waiting = 0,
  d.waiting_sha256 = CASE WHEN coalesce(d.waiting_sha256, '') = '' THEN d.sha256 ELSE d.waiting_sha256 END
RETURN count(d) AS documents
