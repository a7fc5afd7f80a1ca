// Returns: evidence — number of evidence extracted with a warning, which waits for extraction again.
// $collection: id of the collection.
// $documents: ids of the documents to retry; empty: all.
// $embedding: name of the vector property.
MATCH (e:Warned) WHERE e.collection = $collection AND (size($documents) = 0 OR e.document IN $documents)
SET e:Unread
FOREACH (_ IN CASE WHEN e[$embedding] IS NULL THEN [1] ELSE [] END | SET e:Unembedded)
REMOVE e:Warned
RETURN count(e) AS evidence
