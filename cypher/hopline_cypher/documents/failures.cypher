// Returns: name, reason, warnings — documents of a batch that failed or have warnings.
// $ids: ids of documents and of JSONL files.
CALL () {
  MATCH (d:Document) WHERE d.id IN $ids RETURN d UNION
  MATCH (d:Document) WHERE d.origin IN $ids RETURN d
}
WITH d WHERE NOT d:Removed AND (d.state = 'failed' OR size(d.warnings) > 0)
RETURN d.name AS name, CASE WHEN d.state = 'failed' THEN d.reason ELSE '' END AS reason, d.warnings AS warnings
ORDER BY name
