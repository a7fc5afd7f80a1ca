"""Metadata of documents: values and their limits, filter expressions, facets."""
