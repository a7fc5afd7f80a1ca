// Returns: entity, id, text — older evidence that may say these names.
// $names: rows of entity, query (a phrase for Lucene, with its scope).
// $width: evidence a name at most.
UNWIND $names AS row
CALL db.index.fulltext.queryNodes('evidence_text', row.query, {limit: $width}) YIELD node
WITH row, node WHERE NOT node:Unrelated
RETURN row.entity AS entity, node.id AS id, node.text AS text
