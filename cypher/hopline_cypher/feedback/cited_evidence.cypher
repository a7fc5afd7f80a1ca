// Returns: id, name, page — evidence of a collection, with the name of its document and its first page; 0: it has no pages.
// $collection: id of the collection.
// $ids: ids of evidence.
UNWIND $ids AS id
MATCH (e:Evidence {id: id}) WHERE e.collection = $collection
MATCH (d:Document {id: e.document}) WHERE NOT d:Removed
RETURN e.id AS id, d.name AS name, coalesce(head(e.pages), 0) AS page
