// Returns: documents — number of documents that another version of the parser parsed, and that do not wait for parsing.
// $parser: version of the parser in use.
MATCH (d:Document) WHERE split(d.version, '-')[1] <> $parser AND NOT d:Waiting AND NOT d:Removed
  AND NOT EXISTS { MATCH (f:Corpus&Waiting) WHERE f.id = d.origin }
RETURN count(d) AS documents
