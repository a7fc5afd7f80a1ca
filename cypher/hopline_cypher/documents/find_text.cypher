// Returns: id — passages, tables and figures of a document whose text matches an expression, in the order of their pages.
// $document: id of the document.
// $pattern: regular expression of whole texts.
// $limit: maximum number of rows.
MATCH (e:Evidence {document: $document}) WHERE e.text =~ $pattern
RETURN e.id AS id ORDER BY coalesce(e.pages[0], 1), e:Figure, e:Table, e.ordinal, id LIMIT $limit
