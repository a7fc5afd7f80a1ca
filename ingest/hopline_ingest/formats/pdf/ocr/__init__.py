"""Text of scanned pages."""
