"""Detection and extraction of tables on a PDF page."""
