"""OCR of scanned pages."""
