"""Extraction by a large language model."""
