// Returns: nothing — how many pages of a document are read.
// $id: id of the document.
// $pages: pages in all.
// $pages_done: pages read.
MATCH (d:Document {id: $id})
SET d.pages = $pages, d.pages_done = $pages_done
