// Returns: name, failed, passages, message — documents with passages or tables that failed in a stage, or were processed with a warning: which of both, their number, and one message.
// $ids: ids of documents and of JSONL files.
MATCH (e:Warned)
MATCH (d:Document {id: e.document}) WHERE d.id IN $ids OR d.origin IN $ids
UNWIND [[true, e.failure], [false, e.warning]] AS pair
WITH d, e, pair[0] AS failed, pair[1] AS message WHERE coalesce(message, '') <> ''
RETURN d.name AS name, failed, count(e) AS passages, min(message) AS message ORDER BY name, failed
