// Returns: id, text — evidence as its words are counted.
// $ids: ids of passages and tables.
UNWIND $ids AS id
MATCH (e:Evidence {id: id})
RETURN e.id AS id, e.text AS text
