"""Retrieval strategies, one module each; the folder is the list."""
