"""Rows for the statements that write documents, passages and entities."""
