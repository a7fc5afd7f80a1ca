// Returns: nothing — ends the claim of documents, so that a statement that claims them again can find that they have changed meanwhile.
// $documents: rows of id, version.
UNWIND $documents AS row
MATCH (d:Document {id: row.id}) WHERE d.writing = row.version
REMOVE d.writing
