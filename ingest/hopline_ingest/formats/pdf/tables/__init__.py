"""Table grids of a PDF page."""
