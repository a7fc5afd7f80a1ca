// Returns: id — older evidence that may contain these names.
// $phrases: Lucene queries with their scope, one per name.
// $width: maximum number of evidence of one name.
UNWIND $phrases AS phrase
CALL db.index.fulltext.queryNodes('evidence_text', phrase, {limit: $width}) YIELD node
WITH DISTINCT node WHERE NOT node:Unrelated
RETURN node.id AS id
