// Returns: name, reason, warnings — documents of a batch that failed or have warnings.
// $ids: ids of documents and of JSONL files.
MATCH (d:Document) WHERE NOT d:Removed AND (d.id IN $ids OR d.origin IN $ids) AND (d.state = 'failed' OR size(d.warnings) > 0)
RETURN d.name AS name, CASE WHEN d.state = 'failed' THEN d.reason ELSE '' END AS reason, d.warnings AS warnings
ORDER BY name
