"""Layout analysis of a PDF page: blocks, captions, headings, reading order."""
