"""Characters of a PDF page into lines and paragraphs."""
