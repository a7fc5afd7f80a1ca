// Returns: documents — number of documents of JSONL files that another version of the parser parsed; their files wait for parsing now. Documents that then have another id are removed at the end.
// $parser: version of the parser in use.
MATCH (d:Document) WHERE split(d.version, '-')[1] <> $parser AND coalesce(d.origin, '') <> '' AND NOT d:Removed
WITH d.origin AS origin, count(d) AS outdated
MATCH (f:Corpus {id: origin}) WHERE NOT f:Waiting
MATCH (c:Collection {id: f.collection}) WHERE NOT c:Removed
SET f:Waiting, f.state = 'waiting', f.rows = 0, f.problems = []
WITH f, outdated
CALL (f) {
  MATCH (d:Document {origin: f.id})
  SET d.origin_sha256 = ''
}
RETURN sum(outdated) AS documents
