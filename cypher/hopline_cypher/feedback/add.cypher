// Returns: id — the stored feedback; that on the same question, asked of the same documents with the same filter, is replaced. No row if the collection is being removed.
// $collection: id of the collection.
// $feedback: properties of the feedback, with an id for the case that there is none on this question.
MATCH (c:Collection {id: $collection})
SET c.changed_at = timestamp()
WITH c WHERE NOT c:Removed
OPTIONAL MATCH (old:Feedback {collection: $collection, question: $feedback.question})
WHERE old.filter = $feedback.filter AND old.documents = $feedback.documents
WITH coalesce(old.id, $feedback.id) AS id LIMIT 1
MERGE (f:Feedback {id: id})
SET f = $feedback, f.id = id
RETURN f.id AS id
