"""Parsing of PDF files: lines, layout, tables and text of their pages."""
