// Returns: id — older evidence that may say these names.
// $phrases: queries for Lucene with their scope, one a name.
// $width: evidence a name at most.
UNWIND $phrases AS phrase
CALL db.index.fulltext.queryNodes('evidence_text', phrase, {limit: $width}) YIELD node
WITH DISTINCT node WHERE NOT node:Unrelated
RETURN node.id AS id
