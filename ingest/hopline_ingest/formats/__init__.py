"""Parsers of file formats: PDF, office formats, plain text and JSONL, each into pages, passages and tables."""
