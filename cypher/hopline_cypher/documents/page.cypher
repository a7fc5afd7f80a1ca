// Returns: number, label, width, height, rows — a page; rows of id, kind, section: its passages in reading order, then its tables, then its figures.
// $page: id of the page.
MATCH (p:Page {id: $page})
CALL (p) {
  OPTIONAL MATCH (p)-[:HAS_PASSAGE|HAS_TABLE|HAS_FIGURE]->(e:Evidence)
  WITH DISTINCT e WHERE e IS NOT NULL
  WITH e, CASE WHEN e:Table THEN 'table' WHEN e:Figure THEN 'figure' ELSE 'passage' END AS kind
  ORDER BY kind = 'figure', kind = 'table', e.ordinal, e.id
  RETURN collect([e.id, kind, coalesce(e.section, [])]) AS rows
}
RETURN p.number AS number, coalesce(p.label, '') AS label, coalesce(p.width, 0.0) AS width, coalesce(p.height, 0.0) AS height, rows
