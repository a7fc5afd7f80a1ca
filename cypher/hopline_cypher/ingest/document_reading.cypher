// Returns: nothing — how many pages of the version of a document that waits are read.
// $id: id of the document.
// $sha256: of the bytes that are read.
// $pages: pages in all.
// $pages_done: pages read.
MATCH (d:Document {id: $id}) WHERE d:Waiting AND d.waiting_sha256 = $sha256
SET d.pages_waiting = $pages, d.pages_done = $pages_done
