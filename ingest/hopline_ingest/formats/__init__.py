"""File formats: PDF, office formats, plain text and rows of passages, each into pages, passages and tables."""
