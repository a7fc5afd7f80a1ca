// Returns: number — pages of a document with this number or printed label, that with the number first.
// $document: id of the document.
// $text: the number or label, in lower case.
MATCH (:Document {id: $document})-[:HAS_PAGE]->(p:Page)
WHERE toString(p.number) = $text OR toLower(coalesce(p.label, '')) = $text
RETURN p.number AS number ORDER BY toString(p.number) <> $text, number
