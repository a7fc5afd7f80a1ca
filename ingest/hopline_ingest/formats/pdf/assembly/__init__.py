"""Pages of a PDF into one document."""
