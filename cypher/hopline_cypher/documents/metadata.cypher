// Returns: rows of id, name, title, pages, origin, read, stated, side, given — documents of a collection with their layers of metadata as JSON texts; origin: id of the JSONL file of a document that its rows form, else empty.
// $collection: id of the collection.
MATCH (d:Document {collection: $collection}) WHERE NOT d:Removed
RETURN collect([d.id, d.name, coalesce(d.title, ''), coalesce(d.pages, 0), coalesce(d.origin, ''),
  coalesce(d.metadata_read, ''), coalesce(d.metadata_stated, ''), coalesce(d.metadata_side, ''), coalesce(d.metadata_given, '')]) AS rows
