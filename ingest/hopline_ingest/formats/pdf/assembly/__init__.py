"""Assembly of a PDF's pages into a document."""
