// Returns: nothing — writes how many pages of the waiting version of a document are parsed.
// $id: id of the document.
// $sha256: SHA-256 of the bytes that are being parsed.
// $pages: number of pages.
// $pages_done: number of parsed pages.
MATCH (d:Document {id: $id}) WHERE d:Waiting AND d.waiting_sha256 = $sha256
SET d.pages_waiting = $pages, d.pages_done = $pages_done
