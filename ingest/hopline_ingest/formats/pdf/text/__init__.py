"""Assembly of a PDF page's characters into lines and paragraphs."""
